/**
 * Terms of `version` values: texts whose byte order is the precedence of Semantic Versioning (semver.org, rule 11).
 *
 * A term begins with a mark, so that versions stand before texts that are none. Each number has its count of digits in front,
 * in two control characters, so that 10 follows 9; the hyphen before a pre-release is a control character below the one that
 * stands where there is none, so that a pre-release precedes its release. Control characters taken away, a term is the version
 * as it was written: no second copy is kept.
 */
import { illegalArgument } from '@shoal/core';

const NUMBER = '(?:0|[1-9]\\d*)';
const MAIN = `(${NUMBER}(?:\\.${NUMBER})*)`;
const PRE_RELEASE_PART = `(?:${NUMBER}|\\d*[a-zA-Z-][0-9a-zA-Z-]*)`;
const PRE_RELEASE = `(?:-(${PRE_RELEASE_PART}(?:\\.${PRE_RELEASE_PART})*))?`;
const BUILD = '(\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?';
/** A version of semver, but with any count of numbers in front. */
const VERSION = new RegExp(`^${MAIN}${PRE_RELEASE}${BUILD}$`);

const VERSION_MARK = '\u0001';
/** Mark of a text that is no version; above `VERSION_MARK`. */
const TEXT_MARK = '\u001f';
const PRE_RELEASE_MARK = '\u0002';
/** Stands where a version has no pre-release; above `PRE_RELEASE_MARK`, and below all that a version is written with. */
const RELEASE_MARK = '\u0003';
/** First of the sixteen characters that counts of digits are written with. */
const DIGIT_COUNT_BASE = 0x0c;
const DIGITS_MAX = 127;

/** @throws ShoalError for a number of more digits than a term can count */
export function versionTerm(text: string): string {
  const [, main, preRelease, build = ''] = VERSION.exec(text) ?? [];
  if (main === undefined) return TEXT_MARK + text;
  const numbers = main.split('.').map(numberTerm).join('.');
  if (preRelease === undefined) return VERSION_MARK + numbers + RELEASE_MARK + build;
  const parts = preRelease.split('.').map((part) => (/^\d+$/.test(part) ? numberTerm(part) : part));
  return VERSION_MARK + numbers + PRE_RELEASE_MARK + parts.join('.') + build;
}

function numberTerm(digits: string): string {
  if (digits.length > DIGITS_MAX) {
    throw illegalArgument(`Groups of digits cannot be longer than ${DIGITS_MAX}, but found: ${digits.length}`);
  }
  return String.fromCharCode(DIGIT_COUNT_BASE + (digits.length >> 4), DIGIT_COUNT_BASE + (digits.length & 15)) + digits;
}

/** Version of a term; a text that is no such term is itself. */
export function printVersion(term: string): string {
  if (term.startsWith(TEXT_MARK)) return term.slice(TEXT_MARK.length);
  if (!term.startsWith(VERSION_MARK)) return term;
  let text = '';
  for (const letter of term) {
    if (letter === PRE_RELEASE_MARK) text += '-';
    else if (letter > TEXT_MARK) text += letter;
  }
  return text;
}
