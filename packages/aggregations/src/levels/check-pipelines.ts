/**
 * Checks of a request that its pipelines stand where they can work.
 */
import type { ParentKind } from '../contract/pipeline-kind.ts';
import { kindOf } from '../kinds/aggregation-kinds.ts';
import { pathsOf, pipelineKindOf } from '../pipelines/kinds/pipeline-kinds.ts';
import { validationError } from '../request/request-errors.ts';
import type { AggregationLevel, AggregationNode } from '../tree/aggregation-node.ts';
import type { PipelineNode } from '../tree/pipeline-node.ts';

const VALUES_OF_BUCKETS: ReadonlySet<string> = new Set(['_count', '_key', '_bucket_count']);
/** Key of one bucket in a path: `terms['red']>price`. */
const QUOTED = /^(?:'.*'|".*")$/;

/** @throws ShoalError that lists all pipelines of a request, of every level, which have nothing to work on */
export function checkPipelines({ aggregations, pipelines }: AggregationLevel): void {
  const problems = problemsOf(pipelines, aggregations, null);
  if (problems.length > 0) throw validationError(problems);
}

/** `parent`: the aggregation around the level, null at the top. */
function problemsOf(
  pipelines: readonly PipelineNode[],
  level: readonly AggregationNode[],
  parent: AggregationNode | null,
): string[] {
  const lost = pipelines.flatMap(pathsOf).map((path) => lostPath(path, level, pipelines));
  const missing = lost.find((problem) => problem !== null);
  // Pipelines are put in the order of their paths before any is looked at.
  const own = missing ?? pipelines.flatMap((pipeline) => [placeProblem(pipeline, level, parent), ownProblem(pipeline)]);
  const below = level.flatMap((aggregation) => problemsOf(aggregation.pipelines, aggregation.children, aggregation));
  return [...(typeof own === 'string' ? [own] : own.filter((problem) => problem !== null)), ...below];
}

function ownProblem(pipeline: PipelineNode): string | null {
  const kind = pipelineKindOf(pipeline);
  return kind.family === 'parent' ? (kind.problem?.(pipeline) ?? null) : null;
}

function placeProblem(
  pipeline: PipelineNode,
  level: readonly AggregationNode[],
  parent: AggregationNode | null,
): string | null {
  const kind = pipelineKindOf(pipeline);
  return kind.family === 'sibling' ? siblingProblem(pipeline, level) : parentProblem(kind, pipeline, parent);
}

/** null when each name of the path is of an aggregation or a pipeline inside of the one before it. */
function lostPath(
  path: readonly string[],
  level: readonly AggregationNode[],
  pipelines: readonly PipelineNode[],
): string | null {
  const [first = '', ...rest] = path;
  if (path.length === 1 && (first === '_count' || first === '_key')) return null;
  const found = level.find(({ name }) => name === first);
  if (found !== undefined) {
    const lost = lostStep(rest, found);
    return lost === null ? null : `No aggregation [${lost}] found for path [${shownPath(path)}]`;
  }
  if (pipelines.some(({ name }) => name === first)) return null;
  return `No aggregation found for path [${shownPath(path)}]`;
}

/** What comes after a metric is one of its values, and after a pipeline too; those are looked at where the numbers are. */
function lostStep(steps: readonly string[], within: AggregationNode): string | null {
  const [step, ...rest] = steps;
  if (step === undefined || kindOf(within).family !== 'bucket') return null;
  if (QUOTED.test(step)) return lostStep(rest, within);
  const child = within.children.find(({ name }) => name === step);
  if (child !== undefined) return lostStep(rest, child);
  const isOfBucket = rest.length === 0 && VALUES_OF_BUCKETS.has(step);
  return isOfBucket || within.pipelines.some(({ name }) => name === step) ? null : step;
}

function shownPath(path: readonly string[]): string {
  return path.map((step, n) => (QUOTED.test(step) ? `[${step}]` : `${n === 0 ? '' : '>'}${step}`)).join('');
}

function siblingProblem({ name, path, kind }: PipelineNode, level: readonly AggregationNode[]): string | null {
  const [first = ''] = path;
  const found = level.find((aggregation) => aggregation.name === first);
  const shown = shownPath(path);
  if (found === undefined) return `buckets_path aggregation does not exist for aggregation [${name}]: ${shown}`;
  if (hasSeveralBuckets(found)) return null;
  return `The first aggregation in buckets_path must be a multi-bucket aggregation for aggregation [${name}] found :${found.kind} for buckets path: ${shown} of ${kind}`;
}

function hasSeveralBuckets(aggregation: AggregationNode): boolean {
  const kind = kindOf(aggregation);
  return kind.family === 'bucket' && kind.hasSeveralBuckets(aggregation);
}

function isSequence(aggregation: AggregationNode): boolean {
  const kind = kindOf(aggregation);
  return kind.family === 'bucket' && kind.isSequence;
}

function parentProblem(
  { needs }: ParentKind<PipelineNode>,
  { name, kind }: PipelineNode,
  parent: AggregationNode | null,
): string | null {
  if (needs === 'buckets') {
    if (parent === null) return `${kind} aggregation [${name}] must be declared inside of another aggregation`;
    if (hasSeveralBuckets(parent)) return null;
  } else if (parent !== null && isSequence(parent)) {
    if (!('minDocCount' in parent) || parent.minDocCount === 0) return null;
    return `parent histogram of ${kind} aggregation [${name}] must have min_doc_count of 0`;
  }
  return `${kind} aggregation [${name}] must have a histogram, date_histogram or auto_date_histogram as parent`;
}
