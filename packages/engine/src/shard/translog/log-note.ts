/**
 * Records of the translog that are no operations: what the copies of the shard have agreed on, and which operations are dropped.
 *
 * ```
 * 4 state   globalCheckpoint f64, leaseCount u32, then of each: node text, first number kept f64, away since f64 (-1: it is not)
 * 5 trim    above f64, belowTerm f64: operations of older generations above the one and of a term below the other are gone
 * ```
 */
import { type ByteSink, type ByteSource, DamagedBytes } from '@shoal/core';
import type { LogTrim } from '../history/generation-trims.ts';
import { decodeLeases, encodeLeases, type HistoryState } from '../history/history-state.ts';

const STATE_KIND = 4;
const TRIM_KIND = 5;

export type LogNote = ({ readonly kind: 'state' } & HistoryState) | ({ readonly kind: 'trim' } & LogTrim);

export function encodeNote(sink: ByteSink, note: LogNote): void {
  if (note.kind === 'trim') {
    sink.u8(TRIM_KIND);
    sink.f64(note.above);
    sink.f64(note.belowTerm);
    return;
  }
  sink.u8(STATE_KIND);
  sink.f64(note.globalCheckpoint);
  encodeLeases(sink, note.leases);
}

/** The note at the source's position; null when an operation stands there. */
export function decodeNote(source: ByteSource): LogNote | null {
  const kind = source.bytes[source.at];
  if (kind !== STATE_KIND && kind !== TRIM_KIND) return null;
  source.u8();
  if (kind === TRIM_KIND) return { kind: 'trim', above: source.f64(), belowTerm: source.f64() };
  const globalCheckpoint = source.f64();
  if (!(globalCheckpoint >= -1)) throw new DamagedBytes(`a global checkpoint of ${globalCheckpoint}`);
  return { kind: 'state', globalCheckpoint, leases: decodeLeases(source) };
}
