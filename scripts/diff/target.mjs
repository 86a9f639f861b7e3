/**
 * What requests to one index may ask for: its fields by type, and values that its documents have.
 */

const TEXT_TYPES = ['text'];
const KEYWORD_TYPES = ['keyword'];
const NUMBER_TYPES = ['integer', 'long', 'double', 'byte', 'short', 'float', 'half_float', 'scaled_float'];
const DATE_TYPES = ['date', 'date_nanos'];
const RANGE_TYPES = ['integer_range', 'date_range', 'ip_range'];
const POOL = 400;

/** Families that generators ask for by name. */
const FAMILIES = {
  text: TEXT_TYPES,
  keyword: KEYWORD_TYPES,
  number: NUMBER_TYPES,
  date: DATE_TYPES,
  ip: ['ip'],
  geo: ['geo_point'],
  boolean: ['boolean'],
  range: RANGE_TYPES,
  rankFeature: ['rank_feature'],
  rankFeatures: ['rank_features'],
  completion: ['completion'],
};

function* leaves(properties, prefix, nested) {
  for (const [name, field] of Object.entries(properties)) {
    const path = prefix + name;
    if (field.properties !== undefined)
      yield* leaves(field.properties, `${path}.`, field.type === 'nested' ? path : nested);
    else yield { path, from: path, type: field.type, field, nested };
    for (const [sub, inner] of Object.entries(field.fields ?? {}))
      yield { path: `${path}.${sub}`, from: path, type: inner.type, field: inner, nested };
  }
}

function* valuesAt(value, steps) {
  if (Array.isArray(value)) for (const item of value) yield* valuesAt(item, steps);
  else if (value === null || value === undefined) return;
  else if (steps.length === 0) yield value;
  else yield* valuesAt(value[steps[0]], steps.slice(1));
}

/** Different values of a field, at most `POOL` of them. */
function pool(documents, path) {
  const found = new Set();
  for (const { source } of documents) {
    for (const value of valuesAt(source, path.split('.')))
      found.add(typeof value === 'string' ? value.slice(0, 200) : value);
    if (found.size > POOL) break;
  }
  return [...found];
}

/** An index with its documents as generators see it. */
export class Target {
  #byFamily = new Map();

  constructor({ index, mapping, documents, settings = {} }) {
    this.index = index;
    this.mapping = mapping;
    this.settings = settings;
    this.documents = documents;
    this.fields = [...leaves(mapping.properties, '', null)].map((field) => ({
      ...field,
      values: pool(documents, field.from),
    }));
    for (const [family, types] of Object.entries(FAMILIES))
      this.#byFamily.set(
        family,
        this.fields.filter(({ type }) => types.includes(type)),
      );
    this.nestedPaths = [...new Set(this.fields.map(({ nested }) => nested).filter(Boolean))];
  }

  /** Fields of a family within nested objects of `nested`, null: in none. */
  of(family, nested = null) {
    const fields = this.#byFamily.get(family);
    if (fields === undefined) throw new Error(`no family of fields [${family}]`);
    return fields.filter((field) => field.nested === nested);
  }

  has(family, nested = null) {
    return this.of(family, nested).length > 0;
  }
}
