/** `geoip`: where an address is, or whose network it is in, by a database that the user gives. */
import { illegalArgument } from '@shoal/core';
import { type Processor, type ProcessorType, simple } from '../../contract/processor.ts';
import type { ProcessorConfig } from '../../contract/processor-config.ts';
import { parseFieldPath } from '../../document/field-path.ts';
import type { DocumentMap, DocumentValue } from '../../values/document-value.ts';
import { openGeoDatabase } from './geo-database.ts';
import { GEO_DATABASE_KINDS, type GeoDatabaseKind, type GeoProperty, geoFields } from './geo-properties.ts';

const DATABASE_BY_DEFAULT = 'GeoLite2-City.mmdb';
const TAGS = parseFieldPath('tags');

export const geoipProcessor: ProcessorType = {
  type: 'geoip',
  create(config, { files }) {
    const field = parseFieldPath(config.text('field'));
    const target = parseFieldPath(config.optionalText('target_field') ?? 'geoip');
    const name = config.optionalText('database_file') ?? DATABASE_BY_DEFAULT;
    const names = config.optionalTexts('properties');
    const ignoresMissing = config.flag('ignore_missing', false);
    const isFirstOnly = config.flag('first_only', true);
    const database = openGeoDatabase(files, name);
    config.flag('download_database_on_pipeline_creation', true);
    if (database === null) return unavailable(name);
    const kind = GEO_DATABASE_KINDS.find(({ typeEnd }) => database.type.endsWith(typeEnd));
    if (kind === undefined) throw config.error('database_file', `Unsupported database type [${database.type}]`);
    const wanted = wantedProperties(config, names, kind);
    const fieldsOf = (address: string): DocumentMap | null => {
      const record = database.find(address);
      const fields = record === null ? null : geoFields(record, wanted);
      return fields === null || fields.size === 0 ? null : fields;
    };
    return simple((document) => {
      const value = ignoresMissing ? document.find(field) : document.get(field);
      if (value === null) {
        if (ignoresMissing) return;
        throw illegalArgument(`field [${field.text}] is null, cannot extract geoip information.`);
      }
      if (typeof value !== 'string' && !Array.isArray(value)) {
        throw illegalArgument(`field [${field.text}] should contain only string or array of strings`);
      }
      const found = typeof value === 'string' ? fieldsOf(value) : fieldsOfAll(value, field.text, fieldsOf, isFirstOnly);
      if (found !== null) document.set(target, found);
    });
  },
};

/**
 * Tags documents that were not looked up: a pipeline may be put before its database is there, as in Elasticsearch, which downloads
 * it. The file is looked for again when the pipeline changes, and when the node starts.
 */
function unavailable(database: string): Processor {
  return simple((document) =>
    document.append(TAGS, `_geoip_database_unavailable_${database}`, { allowsDuplicates: true }),
  );
}

/** Fields of each address, null for those without; those of the first that has some, where only that counts. */
function fieldsOfAll(
  addresses: readonly DocumentValue[],
  field: string,
  fieldsOf: (address: string) => DocumentMap | null,
  isFirstOnly: boolean,
): DocumentValue {
  const all: DocumentValue[] = [];
  for (const address of addresses) {
    if (typeof address !== 'string') throw illegalArgument(`array in field [${field}] should only contain strings`);
    const fields = fieldsOf(address);
    if (fields !== null && isFirstOnly) return fields;
    all.push(fields);
  }
  return all.some((fields) => fields !== null) ? all : null;
}

function wantedProperties(
  config: ProcessorConfig,
  names: readonly string[] | null,
  { properties, byDefault }: GeoDatabaseKind,
): readonly GeoProperty[] {
  if (names === null) return byDefault;
  const wanted = new Set(
    names.map((name) => {
      const found = properties.find((property) => property === name.toUpperCase());
      if (found !== undefined) return found;
      const valid = properties.join(', ');
      throw config.error('properties', `illegal property value [${name}]. valid values are [${valid}]`);
    }),
  );
  return [...wanted];
}
