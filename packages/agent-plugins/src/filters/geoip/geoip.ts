/**
 * geoip: locates an address by a MaxMind database that the user gives, or by a package of open data where one is installed.
 *
 * None comes with the agent. Without any the filter starts all the same, and tags every event: pipelines are shared between
 * machines that have a database and those that have none.
 */
import {
  cloneValue,
  type EventValue,
  type FieldReference,
  type LogEvent,
  parseFieldReference,
} from '@shoal/agent-event';
import type { Filter, PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import { readGeoAddress } from './geo-address.ts';
import { type GeoDatabase, OPEN_DATA_HINT, openDatabaseFile, openInstalledDatabase } from './geoip-database.ts';
import { type GeoFieldName, hasNoPlace, inFieldOrder, pathOfField, readField, readFieldNames } from './geoip-fields.ts';
import { fieldsOfKind, type GeoKind, geoKindOf, needsPlace } from './geoip-kinds.ts';

export const geoipFilter: PluginDefinition = {
  kind: 'filter',
  name: 'geoip',
  version: '7.3.1',
  isStateless: true,
  options: {
    source: { type: 'fieldReference', isRequired: true },
    database: { type: 'path' },
    /** Which data is meant where no file is named. */
    default_database_type: { type: ['City', 'ASN'], default: 'City' },
    fields: { type: 'array' },
    target: { type: 'fieldReference' },
    cache_size: { type: 'number', default: 1000 },
    tag_on_failure: { type: 'array', default: ['_geoip_lookup_failure'] },
  },
  create: (options, context) => new GeoipFilter(options, context),
};

/** Field below which ECS keeps what belongs to an address: the part before `ip`. */
const ECS_ADDRESS = /^(\[.+\])\[ip\]$/;
/** Fields that ECS lets addresses and places stand in. */
const ECS_TARGETS = ['client', 'destination', 'host', 'observer', 'server', 'source'];

/** What one address adds to an event, in the order in which it is set. */
type Addition = readonly (readonly [reference: FieldReference, value: EventValue])[];

interface WantedField {
  readonly name: GeoFieldName;
  readonly reference: FieldReference;
}

class GeoipFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly source: FieldReference;
  private readonly target: FieldReference;
  private readonly database: GeoDatabase | null;
  /** null: the type of the database is none of MaxMind's. */
  private readonly kind: GeoKind | null;
  private readonly wanted: readonly WantedField[];
  private readonly cache = new Map<string, Addition>();

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    const isEcs = context.ecs !== 'disabled';
    this.source = options.reference('source');
    this.target = targetOf(options, isEcs);
    this.database = options.has('database') ? openDatabaseFile(options.string('database')) : installed(options);
    this.kind = this.database === null ? null : geoKindOf(this.database.type);
    this.wanted = wantedFields(options, { kind: this.kind, target: this.target, isEcs });
    this.warn(context, isEcs);
  }

  private warn({ runtime, pluginId: plugin, position }: PluginContext, isEcs: boolean): void {
    const { log } = runtime;
    const [first, ...others] = this.target.path;
    if (isEcs && (others.length > 0 || !ECS_TARGETS.includes(first ?? ''))) {
      const target = this.target.text;
      log.warn('ECS expects another target of geoip', { plugin, position, target, expected: ECS_TARGETS });
    }
    if (this.database === null) {
      const remedy = `set [database] to a MaxMind file (.mmdb), or run [${OPEN_DATA_HINT}]`;
      log.warn('geoip has no database: every event gets the tags of a failure', { plugin, position, remedy });
    } else if (this.kind === null) {
      const { name: database, type } = this.database;
      log.warn('the type of the database is not supported: every event gets the tags of a failure', {
        ...{ plugin, position, database, type },
      });
    }
  }

  filter(event: LogEvent): 'matched' | 'unmatched' {
    const value = event.get(this.source);
    const text = Array.isArray(value) ? value[0] : value;
    const isLocated = typeof text === 'string' && text.trim() !== '' && this.kind !== null && this.locate(event, text);
    if (isLocated) return 'matched';
    for (const tag of this.options.strings('tag_on_failure')) event.tag(tag);
    return 'unmatched';
  }

  /** An address that is nowhere leaves an empty target. */
  private locate(event: LogEvent, address: string): boolean {
    const addition = this.lookUp(address);
    const existing = event.get(this.target);
    if (existing === undefined || existing === null) event.set(this.target, new Map());
    for (const [reference, value] of addition) event.set(reference, cloneValue(value));
    return addition.length > 0;
  }

  private lookUp(address: string): Addition {
    const known = this.cache.get(address);
    if (known !== undefined) return known;
    const found = this.read(address);
    if (this.cache.size >= this.options.number('cache_size')) {
      const [oldest] = this.cache.keys();
      if (oldest !== undefined) this.cache.delete(oldest);
    }
    this.cache.set(address, found);
    return found;
  }

  private read(text: string): Addition {
    const address = readGeoAddress(text);
    const located = address === null ? null : (this.database?.read(address) ?? null);
    if (located === null || this.kind === null) return [];
    if (needsPlace(this.kind) && hasNoPlace(located.record)) return [];
    return this.wanted.flatMap(({ name, reference }) => {
      const value = readField(name, located);
      return value === undefined ? [] : [[reference, value] as const];
    });
  }
}

/** Open data locates addresses; who runs their networks is in none of it. */
function installed(options: PluginOptions): GeoDatabase | null {
  return options.string('default_database_type') === 'City' ? openInstalledDatabase() : null;
}

function wantedFields(
  options: PluginOptions,
  { kind, target, isEcs }: { readonly kind: GeoKind | null; readonly target: FieldReference; readonly isEcs: boolean },
): readonly WantedField[] {
  const names = readFieldNames(options.has('fields') ? options.strings('fields') : []);
  if (kind === null) return [];
  const wanted = fieldsOfKind(kind, { wanted: names.size === 0 ? null : names, isEcs });
  return inFieldOrder(wanted).flatMap((name) => {
    const below = pathOfField(name, isEcs);
    if (below === null) return [];
    const path = [...target.path, ...below];
    return [{ name, reference: { text: `${target.text}[${below.join('][')}]`, path, isMetadata: target.isMetadata } }];
  });
}

function targetOf(options: PluginOptions, isEcs: boolean): FieldReference {
  if (options.has('target')) return options.reference('target');
  if (!isEcs) return parseFieldReference('geoip');
  const parent = ECS_ADDRESS.exec(options.reference('source').text)?.[1];
  if (parent === undefined) {
    const why = 'geoip: target is required, because the source is no [client][ip], [source][ip] or the like';
    throw new ShoalError('illegal_argument_exception', 400, why);
  }
  return parseFieldReference(parent);
}
