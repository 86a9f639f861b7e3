/**
 * Pipeline tests as JUnit XML: a suite a file, a test case a case. For continuous integration.
 */
import { type CaseResult, coveredPercent, type PipelineTestRun, type TestFileResult } from '@shoal/pipeline-agent';

/** What XML 1.0 cannot hold in any way of writing, lone surrogates included. */
const NO_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

export function junitReport(run: PipelineTestRun): string {
  const cases = run.files.flatMap((file) => file.cases);
  const totals = attributes({
    tests: cases.length,
    failures: failures(cases),
    errors: 0,
    time: seconds(run.files.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  });
  const coverage = attributes({ name: 'coverage', value: coveredPercent(run.coverage).toFixed(1) });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="shoal agent test"${totals}>`,
    ...run.files.filter(({ cases: own }) => own.length > 0).flatMap((file) => suite(file, coverage)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite({ file, cases, durationMs }: TestFileResult, coverage: string): readonly string[] {
  const counts = { tests: cases.length, failures: failures(cases), errors: 0, skipped: 0, time: seconds(durationMs) };
  return [
    `  <testsuite${attributes({ name: file, ...counts })}>`,
    `    <properties><property${coverage}/></properties>`,
    ...cases.map((one) => testCase(file, one)),
    '  </testsuite>',
  ];
}

function testCase(file: string, one: CaseResult): string {
  const line = /:(\d+):\d+$/.exec(one.position)?.[1] ?? '1';
  const head = `    <testcase${attributes({ name: one.name, classname: file, file, line, time: seconds(one.durationMs) })}`;
  if (one.isPassed) return `${head}/>`;
  const texts = [
    ...one.differences.map(
      ({ event, path, expected, got, position }) =>
        `${position}: ${event === 0 ? 'number of events' : `event ${event} ${path}`}: expected ${expected ?? 'nothing'}, got ${got ?? 'nothing'}`,
    ),
    ...one.failures,
  ];
  const failure = attributes({ message: texts[0] ?? '', type: 'difference' });
  return `${head}><failure${failure}>${escaped(texts.join('\n'))}</failure></testcase>`;
}

function failures(cases: readonly CaseResult[]): number {
  return cases.filter(({ isPassed }) => !isPassed).length;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('');
}

function escaped(text: string): string {
  return text.replace(NO_XML, codeText).replace(/[&<>"'\n\r\t]/g, (char) => ESCAPES[char] ?? char);
}

/** Readable, and the same for each: two names must not become one. */
function codeText(char: string): string {
  return `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
