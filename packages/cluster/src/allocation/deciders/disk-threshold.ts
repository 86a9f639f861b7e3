/**
 * `disk_threshold`: nodes whose disks are nearly full get no more copies, and those on disks that are fuller still move away.
 *
 * Free space counts what recoveries that run now will still write.
 */
import { renderByteSize } from '@shoal/core';
import { isNeverStarted } from '../../reading/resize-source.ts';
import type { DiskUsage } from '../rules/allocation-context.ts';
import type { DiskRules } from '../rules/disk-rules.ts';
import { type Decider, type DeciderInput, type Judgement, type NodeInput, no, yes } from './decider.ts';

const DISABLED = yes(() => 'the disk threshold decider is disabled');
const SINGLE_NODE = yes(() => 'there is only a single data node present');
const UNAVAILABLE = yes(() => 'disk usages are unavailable');

export const diskThreshold: Decider = {
  name: 'disk_threshold',
  canAllocate: (input) => judged(input, mayCome),
  canRemain: (input) => judged(input, mayStay),
  givesAway: (input) => judged(input, mayStay).verdict === 'NO',
};

/** Asks of a disk that is looked at, and of which it is known how full it is. */
function judged<I extends NodeInput>(
  input: I,
  judge: (input: I, disk: DiskRules, usage: DiskUsage) => Judgement,
): Judgement {
  const { rules, disks, node } = input;
  const { disk } = rules;
  if (disk === null) return DISABLED;
  if (rules.isSingleDataNode && !disk.appliesToSingleNode) return SINGLE_NODE;
  const usage = disks.of(node);
  return usage === null ? UNAVAILABLE : judge(input, disk, usage);
}

function mayCome(input: DeciderInput, disk: DiskRules, { totalBytes, freeBytes }: DiskUsage): Judgement {
  const { copy, disks } = input;
  const free = freeBytes - incomingBytes(input);
  const [low, high] = [disk.low.freeBytes(totalBytes), disk.high.freeBytes(totalBytes)];
  if (free < low) {
    // An index that was just made has nothing yet that would fill the disk.
    const isNew = copy.isPrimary && isNeverStarted(copy) && copy.recoverySource === 'EMPTY_STORE';
    if (!isNew) return above('low', disk.low.text, low, free);
    if (free < high) return above('high', disk.high.text, high, free);
    return yes(
      () =>
        'the node is above the low watermark, but less than the high watermark, and this primary shard has never been allocated before',
    );
  }
  const size = isOnDiskAlready(input) ? 0 : (disks.shardBytes(copy.indexUuid, copy.shard) ?? 0);
  if (free - size < high) {
    return no(
      () =>
        `allocating the shard to this node will bring the node above the high watermark cluster setting [${disk.high.text}] and cause it to have less than the minimum required [${renderByteSize(high)}] of free space (free: [${shownBytes(free)}], estimated shard size: [${renderByteSize(size)}])`,
    );
  }
  return yes(
    () =>
      `enough disk for shard on node, free: [${shownBytes(free)}], shard size: [${renderByteSize(size)}], free after allocating shard: [${shownBytes(free - size)}]`,
  );
}

function mayStay(input: NodeInput, disk: DiskRules, { totalBytes, freeBytes }: DiskUsage): Judgement {
  const free = freeBytes - incomingBytes(input) + leavingBytes(input);
  const high = disk.high.freeBytes(totalBytes);
  return free < high
    ? no(
        () =>
          `the shard cannot remain on this node because it is above the high watermark cluster setting [${disk.high.text}] and there is less than the required [${renderByteSize(high)}] free space on node, actual free: [${shownBytes(free)}]`,
      )
    : yes(() => `there is enough disk on this node for the shard to remain, free: [${shownBytes(free)}]`);
}

function above(name: 'low' | 'high', setting: string, wanted: number, free: number): Judgement {
  return no(
    () =>
      `the node is above the ${name} watermark cluster setting [${setting}], having less than the minimum required [${renderByteSize(wanted)}] free space, actual free: [${shownBytes(free)}]`,
  );
}

/** A primary that goes back to its own documents writes none. */
function isOnDiskAlready({ copy }: DeciderInput): boolean {
  return copy.isPrimary && copy.nodeId === null && copy.recoverySource === 'EXISTING_STORE';
}

function incomingBytes({ counts, disks, node }: NodeInput): number {
  return sum(counts.arriving(node.id), disks);
}

function leavingBytes({ counts, disks, node }: NodeInput): number {
  return sum(counts.leaving(node.id), disks);
}

/** Bytes of copies that were added up: for each copy that is assigned all those that were assigned before it are asked about again. */
interface Sum {
  readonly disks: DeciderInput['disks'];
  copies: number;
  bytes: number;
}

/** By the copies of one round, to which more are added only. */
const SUMS = new WeakMap<readonly DeciderInput['copy'][], Sum>();

function sum(copies: readonly DeciderInput['copy'][], disks: DeciderInput['disks']): number {
  let known = SUMS.get(copies);
  if (known?.disks !== disks) {
    known = { disks, copies: 0, bytes: 0 };
    SUMS.set(copies, known);
  }
  for (; known.copies < copies.length; known.copies++) {
    const copy = copies[known.copies];
    if (copy !== undefined) known.bytes += disks.shardBytes(copy.indexUuid, copy.shard) ?? 0;
  }
  return known.bytes;
}

/** What runs now may need more than there is. */
function shownBytes(bytes: number): string {
  return bytes < 0 ? `-${renderByteSize(-bytes)}` : renderByteSize(bytes);
}
