/**
 * `include` and `exclude` of terms: which terms become buckets.
 */
import { illegalArgument, type JsonNode, ValueReader } from '@shoal/core';
import { type QueryValue, readQueryValue, readString } from '@shoal/query';
import { OptionReader } from '../../request/option-reader.ts';

export type TermsChoice =
  | { readonly kind: 'pattern'; readonly include: string | null; readonly exclude: string | null }
  | {
      readonly kind: 'values';
      readonly include: readonly QueryValue[] | null;
      readonly exclude: readonly QueryValue[] | null;
    }
  | { readonly kind: 'partition'; readonly partition: number; readonly partitionCount: number };

/** null: all terms. */
export function parseTermsChoice(options: OptionReader): TermsChoice | null {
  const [include, exclude] = [options.take('include'), options.take('exclude')];
  if (include === null && exclude === null) return null;
  if (include?.kind === 'object') return parsePartition(include, exclude);
  const isPattern = include?.kind === 'string' || exclude?.kind === 'string';
  if (isPattern) {
    if (include?.kind === 'array') mixed(options, 'set', 'regex');
    if (exclude?.kind === 'array') mixed(options, 'regex', 'set');
    return {
      kind: 'pattern',
      include: include && readString(include, 'include'),
      exclude: exclude && readString(exclude, 'exclude'),
    };
  }
  const values = (node: JsonNode | null, name: string) =>
    node && (node.kind === 'array' ? node.items : [node]).map((item) => readQueryValue(item, name));
  return { kind: 'values', include: values(include, 'include'), exclude: values(exclude, 'exclude') };
}

/** 400: what is told of the member that stands last. */
function mixed(options: OptionReader, include: string, exclude: string): never {
  return options.within('exclude', () => {
    throw illegalArgument(`Cannot mix a ${include}-based include with a ${exclude}-based method`);
  });
}

function parsePartition(include: JsonNode, exclude: JsonNode | null): TermsChoice {
  const options = new OptionReader('include', include);
  const partition = options.integer('partition');
  const partitionCount = options.integer('num_partitions');
  options.finish();
  if (partition === null || partitionCount === null) {
    throw illegalArgument('Missing [partition] or [num_partitions] parameter for partition-based include');
  }
  if (exclude !== null) throw illegalArgument('Cannot specify any excludes when using a partition-based include');
  if (partitionCount < 2) throw illegalArgument('num_partitions must be >= 2');
  if (partition < 0 || partition >= partitionCount) {
    throw illegalArgument('partition must be >= 0 and < num_partitions');
  }
  return { kind: 'partition', partition, partitionCount };
}

/** Most values in one list of a message: a request of ten megabytes has fewer. */
const VALUES_MAX = 10_000_000;

export function readTermsChoice(value: unknown, field: string): TermsChoice {
  const r = ValueReader.of(value, field);
  const kind = r.oneOf('kind', ['pattern', 'values', 'partition']);
  if (kind === 'pattern') {
    return { kind, include: r.optionalString('include'), exclude: r.optionalString('exclude') };
  }
  if (kind === 'partition') {
    const partitionCount = r.number('partitionCount');
    const partition = r.number('partition');
    if (!(partitionCount >= 2)) r.refuse('partitionCount', 'at least 2');
    if (!(partition >= 0 && partition < partitionCount)) r.refuse('partition', `within 0..${partitionCount - 1}`);
    return { kind, partition, partitionCount };
  }
  const values = (name: string): readonly QueryValue[] | null =>
    r.has(name) ? r.list(name, ValueReader.asScalar, VALUES_MAX) : null;
  return { kind, include: values('include'), exclude: values('exclude') };
}
