/**
 * Which of several memcached servers has a key, by the ring of Ruby's client: Logstash and this agent find the same entries.
 *
 * A key belongs to its server alone: while that one is away the entry is not looked for elsewhere.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { assert } from '@shoal/core';

const POINTS_PER_SERVER = 160;

interface Point {
  readonly value: number;
  readonly server: number;
}

export class ServerRing {
  private readonly points: readonly Point[];

  /** @param names `host:port` of each */
  constructor(names: readonly string[]) {
    assert(names.length > 0, 'a ring without servers');
    this.points = names
      .flatMap((name, server) =>
        Array.from({ length: POINTS_PER_SERVER }, (_, index) => ({ value: pointOf(`${name}:${index}`), server })),
      )
      .sort((a, b) => a.value - b.value);
  }

  /** Position among the names. */
  serverOf(key: string): number {
    const hash = crc32(key);
    let low = 0;
    let high = this.points.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const value = this.points[middle]?.value ?? 0;
      if (value === hash) return this.points[middle]?.server ?? 0;
      if (value > hash) high = middle - 1;
      else low = middle + 1;
    }
    // Before the first point lies the last.
    return this.points.at(high)?.server ?? 0;
  }
}

function pointOf(text: string): number {
  return createHash('sha1').update(text).digest().readUInt32BE(0);
}
