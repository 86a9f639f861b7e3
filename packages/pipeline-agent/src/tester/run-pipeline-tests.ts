/**
 * Runs files of pipeline tests in this process and says what became of every case. Nothing is printed here.
 */

import { ConfigError, positionText } from '@shoal/agent-config';
import { ShoalError } from '@shoal/core';
import { type Cancel, createSilentLog, type Runtime } from '@shoal/runtime';
import { AGENT_SETTINGS } from '../settings/agent-settings.ts';
import { loadPlan, loadTree } from '../sources/load-plan.ts';
import type { ConfigText, PipelineSource } from '../sources/pipeline-source.ts';
import { readPipelineSources } from '../sources/pipeline-sources.ts';
import { CaseClock } from './case-clock.ts';
import { compareEvents, type Difference } from './compare-events.ts';
import { Coverage, type CoveragePoint } from './coverage.ts';
import { type CaseOutcome, PipelineUnderTest } from './pipeline-under-test.ts';
import type { TestCase, TestFile } from './test-case.ts';

export interface PipelineTestOptions {
  /** Test files, or folders with files named `*.test.yml`. */
  readonly paths: readonly string[];
  /** Environment of the process; that of a test file goes before it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hostName: string;
  /** Only cases whose name has this text in it; null: all. */
  readonly nameFilter: string | null;
  /** Folders of user plugins, besides those that a file names. */
  readonly pluginPaths: string;
}

export interface CaseResult {
  readonly name: string;
  /** `file:line:column` */
  readonly position: string;
  readonly isPassed: boolean;
  readonly differences: readonly Difference[];
  /** What plugins and conditions threw. */
  readonly failures: readonly string[];
  readonly durationMs: number;
}

export interface TestFileResult {
  readonly file: string;
  readonly cases: readonly CaseResult[];
  readonly durationMs: number;
}

export interface PipelineTestRun {
  readonly files: readonly TestFileResult[];
  readonly coverage: readonly CoveragePoint[];
}

/** A case that takes longer waits for something that does not come. */
export const CASE_MS_MAX: number = 60_000;
/** Compiled for environments of cases; the oldest makes room. */
const BENCHES_MAX = 50;
const TEST_FILE_NAME = /\.test\.ya?ml$/;
const FILES_MAX = 10_000;
/** Lines of a configuration without inputs come in by this one. */
const DEFAULT_INPUT: ConfigText = { name: 'lines of tests', text: 'input { stdin { codec => plain } }' };

/** @throws ConfigError for a test file or a configuration that is wrong: then nothing can be said of its cases */
export async function runPipelineTests(runtime: Runtime, options: PipelineTestOptions): Promise<PipelineTestRun> {
  const quiet: Runtime = { ...runtime, log: createSilentLog() };
  const tests: TestFile[] = [];
  // With it comes the reader of YAML: an agent that runs starts without.
  const { readTestFile } = await import('./read-test-file.ts');
  for (const file of await testFiles(runtime, options.paths)) {
    tests.push(readTestFile(file, new TextDecoder().decode(await runtime.disk.readFile(file))));
  }
  const coverage = new Coverage();
  const files: TestFileResult[] = [];
  for (const test of tests) files.push(await runFile(quiet, test, options, coverage));
  const isWanted = files.some(({ cases }) => cases.length > 0);
  if (!isWanted) throw wrong(`no case has [${options.nameFilter ?? ''}] in its name`);
  return { files, coverage: coverage.points() };
}

async function testFiles(runtime: Runtime, paths: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  for (const path of paths) {
    if (!(await runtime.disk.exists(path))) throw wrong(`the test file [${path}] does not exist`);
    if (!(await runtime.disk.stat(path)).isDirectory) {
      files.push(path);
      continue;
    }
    const folder = path.replace(/\/+$/, '');
    const found = (await runtime.disk.list(folder)).filter((name) => TEST_FILE_NAME.test(name));
    if (found.length === 0) throw wrong(`the folder [${path}] holds no file named *.test.yml`);
    files.push(...found.map((name) => `${folder}/${name}`));
  }
  if (files.length > FILES_MAX) throw wrong(`more than ${FILES_MAX} test files`);
  return files;
}

async function runFile(
  runtime: Runtime,
  test: TestFile,
  options: PipelineTestOptions,
  coverage: Coverage,
): Promise<TestFileResult> {
  const { nameFilter } = options;
  const wanted = nameFilter === null ? test.cases : test.cases.filter(({ name }) => name.includes(nameFilter));
  if (wanted.length === 0) return { file: test.file, cases: [], durationMs: 0 };
  const startMs = runtime.clock.monotonicMs();
  const pipelines = new PipelinesUnderTest(runtime, test, options, coverage);
  const cases: CaseResult[] = [];
  for (const one of wanted) cases.push(await runCase(runtime, one, pipelines));
  await pipelines.close();
  return { file: test.file, cases, durationMs: runtime.clock.monotonicMs() - startMs };
}

async function runCase(runtime: Runtime, test: TestCase, pipelines: PipelinesUnderTest): Promise<CaseResult> {
  const pipeline = await pipelines.of(test);
  const startMs = runtime.clock.monotonicMs();
  const outcome = await inTime(runtime, pipeline.run(test));
  // It may still be at work: later cases get another one.
  if (outcome === null) pipelines.forget(test);
  const { events, failures } = outcome ?? { events: [], failures: [`it did not end within ${CASE_MS_MAX / 1000} s`] };
  const differences = compareEvents(test.expected, events, test.position);
  return {
    name: test.name,
    position: positionText(test.position),
    isPassed: differences.length === 0 && failures.length === 0,
    differences,
    failures,
    durationMs: runtime.clock.monotonicMs() - startMs,
  };
}

/** null when it takes too long; what becomes of it then is of no interest. */
async function inTime(runtime: Runtime, work: Promise<CaseOutcome>): Promise<CaseOutcome | null> {
  let cancel: Cancel = () => {};
  const late = new Promise<null>((resolve) => {
    cancel = runtime.sched.after(CASE_MS_MAX, () => resolve(null));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}

/** One bench for each environment that cases have: variables are replaced when a configuration is compiled. */
class PipelinesUnderTest {
  readonly #runtime: Runtime;
  readonly #test: TestFile;
  readonly #options: PipelineTestOptions;
  readonly #coverage: Coverage;
  readonly #made = new Map<string, PipelineUnderTest>();

  constructor(runtime: Runtime, test: TestFile, options: PipelineTestOptions, coverage: Coverage) {
    this.#runtime = runtime;
    this.#test = test;
    this.#options = options;
    this.#coverage = coverage;
  }

  async of(test: TestCase): Promise<PipelineUnderTest> {
    const key = keyOf(test);
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.#made;
    if (oldest !== undefined && this.#made.size >= BENCHES_MAX) {
      this.#made.delete(oldest[0]);
      await oldest[1].close();
    }
    const source = await this.#sourceOf(test);
    const clock = new CaseClock(this.#runtime.clock);
    const pipeline = new PipelineUnderTest({
      runtime: this.#runtime,
      source,
      tree: loadTree(source),
      plan: await loadPlan(source, clock),
      coverage: this.#coverage,
      clock,
    });
    this.#made.set(key, pipeline);
    return pipeline;
  }

  forget(test: TestCase): void {
    this.#made.delete(keyOf(test));
  }

  async close(): Promise<void> {
    for (const pipeline of this.#made.values()) await pipeline.close();
  }

  async #sourceOf(test: TestCase): Promise<PipelineSource> {
    const { pipeline, settings } = this.#test;
    const environment: Record<string, string> = {};
    for (const layer of [this.#options.environment, this.#test.environment, test.environment]) {
      for (const [name, value] of Object.entries(layer)) if (value !== undefined) environment[name] = value;
    }
    const from = pipeline.kind === 'path' ? { 'path.config': this.#beside(pipeline.path) } : { 'config.string': ' ' };
    const plugins = this.#options.pluginPaths === '' ? {} : { 'path.plugins': this.#options.pluginPaths };
    const own = settings['path.plugins'];
    const given = { ...plugins, ...settings, ...(own === undefined ? {} : { 'path.plugins': this.#beside(own) }) };
    const context = { runtime: this.#runtime, environment, hostName: this.#options.hostName };
    try {
      const parsed = AGENT_SETTINGS.parse({ ...given, ...from });
      const [source] = await readPipelineSources({ ...context, settings: parsed });
      if (source === undefined) throw wrong('no pipeline');
      const texts = pipeline.kind === 'path' ? source.texts : [inlineText(this.#test.file, pipeline)];
      return { ...source, texts: [...texts, DEFAULT_INPUT], environment };
    } catch (error) {
      if (!(error instanceof ShoalError)) throw error;
      throw new ConfigError([{ position: pipeline.position, message: error.message, hint: null, excerpt: '' }]);
    }
  }

  /** Paths in a test file are written from its folder. */
  #beside(path: string): string {
    const folder = this.#test.file.includes('/') ? this.#test.file.replace(/\/[^/]*$/, '') : '';
    return path.startsWith('/') || folder === '' ? path : `${folder}/${path}`;
  }
}

function keyOf(test: TestCase): string {
  return JSON.stringify(Object.entries(test.environment).sort());
}

/** Empty lines before it make lines in errors those of the test file. */
function inlineText(
  name: string,
  { text, firstLine }: { readonly text: string; readonly firstLine: number },
): ConfigText {
  return { name, text: '\n'.repeat(firstLine - 1) + text };
}

function wrong(message: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, message);
}
