/** Aggregations computed in the plainest way over documents in memory: what collectors, reduce and rendering must agree with. */

export interface PlainDoc {
  readonly kw?: string | readonly string[];
  readonly n?: number | readonly number[];
  readonly x?: number | readonly number[];
  readonly d?: number | readonly number[];
  readonly b?: boolean;
}

export type FieldName = keyof PlainDoc;
type Json = Readonly<Record<string, unknown>>;
export type Request = Readonly<Record<string, Json>>;
type Value = string | number;

export const MAPPING = {
  properties: {
    kw: { type: 'keyword' },
    n: { type: 'long' },
    x: { type: 'double' },
    d: { type: 'date', format: 'epoch_millis' },
    b: { type: 'boolean' },
  },
} as const;

function valuesOf(doc: PlainDoc, { field, missing }: Json): readonly Value[] {
  const given = doc[field as FieldName];
  const list = given === undefined ? [] : Array.isArray(given) ? (given as Value[]) : [given as Value | boolean];
  const values = list.map((value) => (typeof value === 'boolean' ? Number(value) : value));
  if (values.length > 0) return field === 'kw' ? [...new Set(values)] : values;
  return missing === undefined ? [] : [typeof missing === 'boolean' ? Number(missing) : (missing as Value)];
}

const numbersOf = (docs: readonly PlainDoc[], source: Json): number[] =>
  docs.flatMap((doc) => valuesOf(doc, source).map(Number));

/** `all`: every document, for the global ones. */
export function naive(request: Request, docs: readonly PlainDoc[], all: readonly PlainDoc[]): Json {
  return Object.fromEntries(
    Object.entries(request).map(([name, definition]) => {
      const { aggs, ...types } = definition;
      const [[type, options]] = Object.entries(types) as [[string, Json]];
      return [name, one(type, options, (aggs ?? {}) as Request, docs, all)];
    }),
  );
}

function one(type: string, options: Json, aggs: Request, docs: readonly PlainDoc[], all: readonly PlainDoc[]): Json {
  const bucket = (inside: readonly PlainDoc[]): Json => ({
    doc_count: inside.length,
    ...naive(aggs, inside, all),
  });
  switch (type) {
    case 'filter':
      return bucket(docs.filter((doc) => matches(doc, options)));
    case 'global':
      return bucket(all);
    case 'missing':
      return bucket(docs.filter((doc) => valuesOf(doc, { field: options.field }).length === 0));
    case 'filters': {
      const filters = Object.entries(options.filters as Record<string, Json>).sort(([a], [b]) => (a < b ? -1 : 1));
      const buckets = filters.map(([key, filter]) => [key, bucket(docs.filter((doc) => matches(doc, filter)))]);
      const rest = docs.filter((doc) => !filters.some(([, filter]) => matches(doc, filter)));
      if (options.other_bucket === true) buckets.push(['_other_', bucket(rest)]);
      return { buckets: Object.fromEntries(buckets) };
    }
    case 'terms':
      return terms(options, docs, bucket);
    case 'histogram':
      return histogram(options, docs, bucket);
    case 'range':
      return {
        buckets: (options.ranges as { readonly key: string; readonly from?: number; readonly to?: number }[])
          .toSorted((a, b) => (a.from ?? -Infinity) - (b.from ?? -Infinity) || (a.to ?? Infinity) - (b.to ?? Infinity))
          .map(({ key, from, to }) => {
            const isIn = (v: Value) => Number(v) >= (from ?? -Infinity) && Number(v) < (to ?? Infinity);
            const inside = docs.filter((doc) => valuesOf(doc, options).some(isIn));
            return { key, ...(from !== undefined && { from }), ...(to !== undefined && { to }), ...bucket(inside) };
          }),
      };
    case 'cardinality':
      return { value: new Set(docs.flatMap((doc) => valuesOf(doc, options))).size };
    case 'value_count':
      return { value: docs.flatMap((doc) => valuesOf(doc, options)).length };
    default:
      return stats(type, numbersOf(docs, options));
  }
}

function stats(type: string, values: readonly number[]): Json {
  const sum = values.reduce((a, b) => a + b, 0);
  const none = values.length === 0;
  const all = {
    min: none ? null : Math.min(...values),
    max: none ? null : Math.max(...values),
    avg: none ? null : sum / values.length,
    sum,
  };
  return type === 'stats' ? { count: values.length, ...all } : { value: all[type as keyof typeof all] };
}

function matches(doc: PlainDoc, query: Json): boolean {
  if ('match_all' in query) return true;
  const [[kind, inner]] = Object.entries(query) as [[string, Json]];
  const [[field, wanted]] = Object.entries(inner) as [[string, unknown]];
  const values = valuesOf(doc, { field });
  if (kind === 'term') return values.includes(typeof wanted === 'boolean' ? Number(wanted) : (wanted as Value));
  const { gte, lt } = wanted as { readonly gte: number; readonly lt: number };
  return values.some((value) => Number(value) >= gte && Number(value) < lt);
}

function grouped(docs: readonly PlainDoc[], keysOf: (doc: PlainDoc) => readonly Value[]): Map<Value, PlainDoc[]> {
  const groups = new Map<Value, PlainDoc[]>();
  for (const doc of docs) {
    for (const key of new Set(keysOf(doc))) groups.set(key, [...(groups.get(key) ?? []), doc]);
  }
  return groups;
}

type MakeBucket = (inside: readonly PlainDoc[]) => Json;

function terms(options: Json, docs: readonly PlainDoc[], bucket: MakeBucket): Json {
  const groups = grouped(docs, (doc) => valuesOf(doc, options));
  const buckets = [...groups].map(([key, inside]) => ({
    key,
    ...(options.field === 'b' && { key_as_string: String(key === 1) }),
    ...(options.field === 'd' && { key_as_string: String(key) }),
    ...bucket(inside),
  }));
  const order = (options.order ?? [{ _count: 'desc' }]) as readonly Json[];
  const valueAt = (b: Json, path: string): Value | null => {
    if (path === '_count') return b.doc_count as number;
    if (path === '_key') return b.key as Value;
    return ((b[path.split('.')[0] as string] as Json)[path.split('.')[1] ?? 'value'] ?? null) as number | null;
  };
  const criteria = [...order, { _key: 'asc' }].flatMap((one) => Object.entries(one)) as [string, string][];
  buckets.sort((a, b) => {
    for (const [path, direction] of criteria) {
      const [x, y] = [valueAt(a, path), valueAt(b, path)];
      if (x === y) continue;
      // Buckets without a value are last in either direction.
      if (x === null || y === null) return x === null ? 1 : -1;
      return (x < y ? -1 : 1) * (direction === 'asc' ? 1 : -1);
    }
    return 0;
  });
  const shown = buckets.slice(0, (options.size as number | undefined) ?? 10);
  const count = (list: readonly Json[]) => list.reduce((sum, { doc_count }) => sum + (doc_count as number), 0);
  return {
    doc_count_error_upper_bound: 0,
    sum_other_doc_count: count(buckets) - count(shown),
    buckets: shown,
  };
}

function histogram(options: Json, docs: readonly PlainDoc[], bucket: MakeBucket): Json {
  const interval = options.interval as number;
  const offset = (options.offset as number | undefined) ?? 0;
  const keyOf = (value: Value) => Math.floor((Number(value) - offset) / interval) * interval + offset;
  const groups = grouped(docs, (doc) => valuesOf(doc, options).map(keyOf));
  const keys = ([...groups.keys()] as number[]).sort((a, b) => a - b);
  const least = options.min_doc_count as number;
  const shown: number[] = [];
  for (const key of keys) {
    while (least === 0 && shown.length > 0 && (shown.at(-1) as number) + interval * 1.5 < key)
      shown.push((Math.round(((shown.at(-1) as number) - offset) / interval) + 1) * interval + offset);
    shown.push(key);
  }
  const buckets = shown.map((key): Json => ({ key, ...bucket(groups.get(key) ?? []) }));
  return { buckets: buckets.filter(({ doc_count }) => (doc_count as number) >= least) };
}
