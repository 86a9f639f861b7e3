/**
 * `shoal agent test`: runs the cases, prints them, and ends with a status that says how it went.
 */
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isShoalError } from '@shoal/core';
import { coveredPercent, type PipelineTestRun, runPipelineTests } from '@shoal/pipeline-agent';
import { createNodeRuntime, createPinoLog } from '@shoal/runtime';
import pc from 'picocolors';
import { junitReport } from './junit-report.ts';
import { specReport } from './spec-report.ts';

export interface TestArguments {
  readonly filter?: string;
  readonly coverage?: boolean;
  readonly 'coverage.min'?: string;
  readonly reporter: string;
  readonly output?: string;
  readonly 'path.plugins'?: string;
}

const REPORTERS: readonly string[] = ['spec', 'json', 'junit'];
const EXIT_FAILED = 1;
const EXIT_WRONG = 2;

export async function runTest(paths: readonly string[], args: TestArguments): Promise<void> {
  const runtime = createNodeRuntime({
    log: createPinoLog({ level: 'warn', destination: 'stderr' }),
    diskRoot: process.cwd(),
  });
  try {
    const coverageMin = minimumOf(args);
    if (!REPORTERS.includes(args.reporter)) throw wrong(`--reporter is one of ${REPORTERS.join(', ')}`);
    const run = await runPipelineTests(runtime, {
      paths,
      environment: process.env,
      hostName: hostname(),
      nameFilter: args.filter ?? null,
      pluginPaths: args['path.plugins'] ?? '',
    });
    report(run, args, coverageMin);
    process.exitCode = isGood(run, coverageMin) ? 0 : EXIT_FAILED;
  } catch (error) {
    if (!isShoalError(error) && !(error instanceof WrongArgument)) throw error;
    process.stderr.write(`${pc.red('shoal:')} ${error.message}\n`);
    process.exitCode = EXIT_WRONG;
  }
}

class WrongArgument extends Error {}

function wrong(message: string): WrongArgument {
  return new WrongArgument(message);
}

/** null: coverage decides nothing. */
function minimumOf(args: TestArguments): number | null {
  const text = args['coverage.min'];
  if (text === undefined) return null;
  const percent = Number(text.replace(/%$/, ''));
  if (text === '' || !(percent >= 0 && percent <= 100)) throw wrong(`--coverage.min is 0 to 100, found [${text}]`);
  return percent;
}

function isGood(run: PipelineTestRun, coverageMin: number | null): boolean {
  const areAllPassed = run.files.every(({ cases }) => cases.every(({ isPassed }) => isPassed));
  return areAllPassed && (coverageMin === null || coveredPercent(run.coverage) >= coverageMin);
}

function report(run: PipelineTestRun, args: TestArguments, coverageMin: number | null): void {
  const showsCoverage = args.coverage === true || coverageMin !== null;
  const colors = pc.createColors(pc.isColorSupported && process.stdout.isTTY === true);
  const spec = (): string => specReport(run, { colors, showsCoverage, coverageMin });
  if (args.reporter === 'spec' && args.output === undefined) {
    process.stdout.write(spec());
    return;
  }
  const plain = { colors: pc.createColors(false), showsCoverage, coverageMin };
  const text = { spec: () => specReport(run, plain), json: () => jsonReport(run), junit: () => junitReport(run) }[
    args.reporter as 'spec' | 'json' | 'junit' // One of REPORTERS, which was checked.
  ]();
  if (args.output === undefined) process.stdout.write(text);
  else {
    writeFileSync(args.output, text);
    // The file is for machines: people see how it went all the same.
    process.stdout.write(spec());
  }
}

function jsonReport(run: PipelineTestRun): string {
  const cases = run.files.flatMap((file) => file.cases);
  const failed = cases.filter(({ isPassed }) => !isPassed).length;
  const coverage = { percent: coveredPercent(run.coverage), points: run.coverage };
  return `${JSON.stringify({ passed: cases.length - failed, failed, files: run.files, coverage }, null, 2)}\n`;
}
