/**
 * Where something stands in request JSON, and the errors of malformed JSON in the words that Elasticsearch's users know.
 *
 * The texts are those of the JSON reader behind Elasticsearch, since clients and tests match on them; lines and columns
 * count from 1, columns in bytes.
 */
import { ShoalError } from '../errors/shoal-error.ts';

export interface JsonLocation {
  readonly line: number;
  readonly col: number;
}

/** `[Source: …]` as users see it: the text itself is never shown, since it may hold secrets. */
export function sourceText(at: JsonLocation): string {
  return `[Source: REDACTED (\`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION\` disabled); line: ${at.line}, column: ${at.col}]`;
}

/** 400: the text ends too early. */
export function jsonEndOfInput(what: string, at: JsonLocation): ShoalError {
  return new ShoalError('json_e_o_f_exception', 400, `Unexpected end-of-input${what}\n at ${sourceText(at)}`);
}

/** 400: something stands where it may not. */
export function jsonParseError(reason: string, at: JsonLocation): ShoalError {
  return new ShoalError('json_parse_exception', 400, `${reason}\n at ${sourceText(at)}`);
}
