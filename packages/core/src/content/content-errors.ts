/**
 * Errors in the structure of a request body: each says where in the text it is, and what went wrong inside is its cause.
 */

import { innermostCauses } from '../errors/root-causes.ts';
import { ShoalError } from '../errors/shoal-error.ts';
import type { JsonLocation } from '../json/json-location.ts';
import { editDistance } from '../settings/edit-distance.ts';

const TYPE = 'x_content_parse_exception';

/** Names more alike than this are suggested. */
const LIKENESS_ABOVE = 0.5;

/** 400: the structure of a body is wrong at a place: where the cause says, if it says where. */
export function contentError(at: JsonLocation, reason: string, causedBy?: ShoalError): ShoalError {
  if (causedBy === undefined) return new ShoalError(TYPE, 400, `[${at.line}:${at.col}] ${reason}`);
  const text = `${placeOf(causedBy) ?? `[${at.line}:${at.col}]`} ${reason}`;
  return new ShoalError(TYPE, 400, text, { causedBy, rootCauses: innermostCauses(causedBy) });
}

function placeOf({ metadata, reason }: ShoalError): string | null {
  const { line, col } = metadata;
  if (line !== undefined && col !== undefined) return `[${String(line)}:${String(col)}]`;
  return /^\[\d+:\d+\]/.exec(reason ?? '')?.[0] ?? null;
}

/** 400: `where` has no member of this name; `known` are those it has. */
export function unknownMember(
  where: string,
  member: { readonly name: string; readonly at: JsonLocation },
  known: Iterable<string> = [],
): ShoalError {
  return contentError(member.at, `[${where}] unknown field [${member.name}]${didYouMean(member.name, known)}`);
}

/** ` did you mean [x]?` with the names that are like an unknown one, the most alike first; empty where none is. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const near = [...known]
    .map((candidate) => ({ candidate, likeness: likeness(name, candidate) }))
    .filter((one) => one.likeness > LIKENESS_ABOVE)
    .sort((a, b) => b.likeness - a.likeness || (a.candidate < b.candidate ? -1 : 1))
    .map(({ candidate }) => candidate);
  if (near.length === 0) return '';
  return ` did you mean ${near.length === 1 ? '' : 'any of '}[${near.join(', ')}]?`;
}

function likeness(a: string, b: string): number {
  return Math.fround(1 - Math.fround(editDistance(a, b, false) / Math.max(a.length, b.length, 1)));
}
