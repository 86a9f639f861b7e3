/**
 * Pipeline tests as people read them: every case, what differs in those that failed, and what was never reached.
 */
import { type CaseResult, coveredPercent, type Difference, type PipelineTestRun } from '@shoal/pipeline-agent';
import type pc from 'picocolors';

type Colors = ReturnType<typeof pc.createColors>;

export interface SpecReportOptions {
  readonly colors: Colors;
  readonly showsCoverage: boolean;
  readonly coverageMin: number | null;
}

/** Passed cases beyond these are only counted: a screen holds no more. */
const PASSED_SHOWN_MAX = 100;

export function specReport(run: PipelineTestRun, options: SpecReportOptions): string {
  const { colors } = options;
  const lines: string[] = [];
  for (const file of run.files) {
    if (file.cases.length === 0) continue;
    lines.push(colors.bold(file.file));
    const showsPassed = file.cases.length <= PASSED_SHOWN_MAX;
    for (const result of file.cases) {
      if (result.isPassed) {
        if (showsPassed) lines.push(`  ${colors.green('✓')} ${result.name}`);
      } else lines.push(...failedCase(result, colors));
    }
  }
  if (options.showsCoverage) lines.push('', ...coverageLines(run, options));
  lines.push('', summary(run, colors), '');
  return lines.join('\n');
}

function failedCase(result: CaseResult, colors: Colors): readonly string[] {
  const lines = [`  ${colors.red('✗')} ${result.name}  ${colors.dim(result.position)}`];
  for (const difference of result.differences) lines.push(...differenceLines(difference, colors));
  for (const failure of result.failures) lines.push(`      ${colors.red('threw')} ${failure}`);
  return lines;
}

function differenceLines({ event, path, expected, got, position }: Difference, colors: Colors): readonly string[] {
  const what = event === 0 ? 'number of events' : `event ${event}${path === '' ? '' : `, ${path}`}`;
  return [
    `      ${what}  ${colors.dim(position)}`,
    colors.green(`        expected  ${expected ?? 'nothing'}`),
    colors.red(`        got       ${got ?? 'nothing'}`),
  ];
}

function coverageLines(run: PipelineTestRun, { colors, coverageMin }: SpecReportOptions): readonly string[] {
  const percent = coveredPercent(run.coverage);
  const reached = run.coverage.filter(({ hits }) => hits > 0).length;
  const isEnough = coverageMin === null || percent >= coverageMin;
  const wanted = coverageMin === null ? '' : `, at least ${coverageMin}% wanted`;
  const title = `coverage ${shown(percent)}% (${reached} of ${run.coverage.length})${wanted}`;
  const missed = run.coverage.filter(({ hits }) => hits === 0);
  return [
    isEnough ? colors.bold(title) : colors.red(title),
    ...missed.map(({ position, what }) => `  ${colors.yellow('not reached')}  ${position}  ${oneLine(what)}`),
  ];
}

/** Never rounded up to what it is not. */
function shown(percent: number): string {
  return String(Math.floor(percent * 10) / 10);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

function summary(run: PipelineTestRun, colors: Colors): string {
  const cases = run.files.flatMap((file) => file.cases);
  const failed = cases.filter(({ isPassed }) => !isPassed).length;
  const seconds = run.files.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
  const passed = colors.green(`${cases.length - failed} passed`);
  return `${passed}${failed === 0 ? '' : `, ${colors.red(`${failed} failed`)}`} in ${seconds.toFixed(2)} s`;
}
