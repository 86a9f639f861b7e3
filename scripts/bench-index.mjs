#!/usr/bin/env node
/**
 * `npm run bench:index [-- --docs 1000000]`: what indexing and holding documents costs one shard, in process, one thread, no
 * HTTP: rate, CPU, memory at the end, disk, and the time from its files to the first answer.
 *
 * Nothing is asserted. CPU counts more than wall time where others use the machine too.
 */
import { parseArgs } from 'node:util';
import { machineLine } from './bench/machine.mjs';
import { measureResident } from './bench/resident.mjs';
import { buildIfNeeded } from './built.mjs';

const { values: options } = parseArgs({ options: { docs: { type: 'string', default: '1000000' } } });

buildIfNeeded();
const { openShard, createSegmentMemory } = await import('@shoal/engine');
const { createNodeRuntime } = await import('@shoal/runtime');
const { parseSearch } = await import('@shoal/query');
const found = await measureResident(
  { openShard, createSegmentMemory, createNodeRuntime, parseSearch },
  Number(options.docs),
);

const rows = [
  ['documents', found.docs],
  ['documents a second', found.docsPerSecond],
  ['CPU a document, us', found.cpuMicrosPerDoc],
  ['segments', found.segments],
  ['memory a document, bytes', found.memoryBytesPerDoc],
  ['disk a document, bytes', found.diskBytesPerDoc],
  ['resident after loading, MB', found.residentMB],
  ['resident at most, MB', found.peakMB],
  ['files to first answer, ms', found.startMs],
];
process.stdout.write(`\n${machineLine()}\n\n`);
const width = Math.max(...rows.map(([name]) => name.length));
for (const [name, value] of rows) process.stdout.write(`${name.padEnd(width)}  ${String(value).padStart(9)}\n`);
