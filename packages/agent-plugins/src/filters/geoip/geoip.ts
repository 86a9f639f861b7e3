/**
 * geoip: locates an address by a MaxMind database that the user gives, or by a package of open data where one is installed.
 *
 * None comes with the agent. Without any the filter starts all the same, and tags every event: pipelines are shared between
 * machines that have a database and those that have none.
 */
import { cloneValue, type EventMap, type FieldReference, type LogEvent, parseFieldReference } from '@shoal/agent-event';
import type { Filter, PluginContext, PluginDefinition, PluginOptions } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import ipaddr from 'ipaddr.js';
import { type GeoDatabase, OPEN_DATA_HINT, openDatabaseFile, openInstalledDatabase } from './geoip-database.ts';
import { ecsGeoFields, legacyGeoFields } from './geoip-fields.ts';

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

class GeoipFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly source: FieldReference;
  private readonly target: FieldReference;
  private readonly isEcs: boolean;
  private readonly database: GeoDatabase | null;
  private readonly cache = new Map<string, EventMap | null>();

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.isEcs = context.ecs !== 'disabled';
    this.source = options.reference('source');
    this.target = targetOf(options, this.isEcs);
    this.database = options.has('database') ? openDatabaseFile(options.string('database')) : installed(options);
    if (this.database !== null) return;
    const { pluginId: plugin, position } = context;
    context.runtime.log.warn('geoip has no database: every event gets the tags of a failure', {
      plugin,
      position,
      remedy: `set [database] to a MaxMind file (.mmdb), or run [${OPEN_DATA_HINT}]`,
    });
  }

  filter(event: LogEvent): 'matched' | 'unmatched' {
    const value = event.get(this.source);
    const address = Array.isArray(value) ? value[0] : value;
    const found = typeof address === 'string' ? this.lookUp(address.trim()) : null;
    if (found === null) {
      for (const tag of this.options.strings('tag_on_failure')) event.tag(tag);
      return 'unmatched';
    }
    const existing = event.get(this.target);
    if (this.isEcs && existing instanceof Map) for (const [name, item] of found) existing.set(name, cloneValue(item));
    else event.set(this.target, cloneValue(found));
    return 'matched';
  }

  private lookUp(address: string): EventMap | null {
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

  private read(address: string): EventMap | null {
    const record = ipaddr.isValid(address) ? this.database?.read(address) : null;
    if (record === null || record === undefined) return null;
    const wanted = this.options.has('fields') ? this.options.strings('fields') : null;
    const fields = this.isEcs ? ecsGeoFields(record, address, wanted) : legacyGeoFields(record, address, wanted);
    return fields.size === 0 ? null : fields;
  }
}

/** Open data locates addresses; who runs their networks is in none of it. */
function installed(options: PluginOptions): GeoDatabase | null {
  return options.string('default_database_type') === 'City' ? openInstalledDatabase() : null;
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
