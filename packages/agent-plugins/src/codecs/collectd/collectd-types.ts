/**
 * Names of the values of collectd's types. A type of one value needs none: it is called `value`.
 */

import { readFileSync } from 'node:fs';
import { optionError } from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';

/** Types of several values, as collectd declares them. */
const BUILT_IN = `
arc_counts demand_data demand_metadata prefetch_data prefetch_metadata
arc_l2_bytes read write
arc_size current target minlimit maxlimit
compression uncompressed compressed
df used free
disk_io_time io_time weighted_io_time
disk_latency read write
disk_merged read write
disk_octets read write
disk_ops read write
disk_time read write
dns_octets queries responses
domain_state state reason
ib_octets rx tx
ib_packets rx tx
if_dropped rx tx
if_errors rx tx
if_octets rx tx
if_packets rx tx
io_octets rx tx
io_ops read write
io_packets rx tx
load shortterm midterm longterm
memcached_octets rx tx
mysql_octets rx tx
mysql_qcache hits inserts not_cached lowmem_prunes queries_in_cache
mysql_threads running connected cached created
node_octets rx tx
ps_count processes threads
ps_cputime user syst
ps_disk_octets read write
ps_disk_ops read write
ps_pagefaults minflt majflt
serial_octets rx tx
smart_attribute current worst threshold pretty
vf_bytes vf_rx vf_tx
vf_dropped vf_rx vf_tx
vf_packets vf_rx vf_tx
vmpage_faults minflt majflt
vmpage_io in out
voltage_threshold value threshold
`;

export type CollectdTypes = ReadonlyMap<string, readonly string[]>;

/**
 * Names of values by type, of files in the format of `types.db`; what a later file says of a type counts.
 *
 * @param paths null for the types that are built in
 * @throws ShoalError for a file that cannot be read
 */
export function collectdTypes(paths: readonly string[] | null): CollectdTypes {
  const texts = paths === null ? [BUILT_IN] : paths.map(readTypes);
  const types = new Map<string, readonly string[]>();
  for (const line of texts.join('\n').split('\n')) {
    const [name = '', ...values] = line.trim().split(/[\s,]+/);
    if (name === '' || name.startsWith('#')) continue;
    types.set(
      name,
      values.filter((value) => value !== '').map((value) => value.split(':', 1)[0] ?? ''),
    );
  }
  return types;
}

function readTypes(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw optionError(`[typesdb => ${path}] cannot be read: ${messageOf(error)}`);
  }
}
