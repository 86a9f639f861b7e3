/**
 * Templates as a language of scripts, `mustache`: texts of searches and of pipelines that are filled with parameters.
 *
 * What is filled in is escaped for the text around it, so that no value ends the string that it stands in.
 */
import { DoubleNumber, illegalArgument, ShoalError, writeJsonText } from '@shoal/core';
import {
  MustacheError,
  type MustachePart,
  type MustacheValues,
  parseMustache,
  renderMustache,
  shownPlace,
  type TagPlace,
  urlEncoded,
} from '@shoal/mustache';
import { RecentPrograms } from '../programs/recent-programs.ts';
import { MUSTACHE } from '../programs/script-context.ts';
import { javaText, listOf, type PlainValue } from './plain-values.ts';

/** What is done to values between `{{` and `}}`; those between `{{{` and `}}}` stay as they are. */
export type MediaType = 'application/json' | 'text/plain' | 'application/x-www-form-urlencoded';

export const MEDIA_TYPES: readonly MediaType[] = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
];

/** Characters of a script that stands in a request. */
const INLINE_SCRIPT_CHARS_MAX = 65_535;
/** Characters that a template may come to: texts that hold themselves twice grow without limit in a few steps. */
const RENDERED_CHARS_MAX = 16 * 1024 * 1024;
const SERVER_ERROR = 500;

/** A template that was read. */
export class TemplateScript {
  readonly #parts: readonly MustachePart[];
  readonly #values: MustacheValues<PlainValue>;

  /** @throws script_exception for what is no template */
  constructor(source: string, mediaType: MediaType = 'application/json') {
    try {
      this.#parts = parseMustache(source);
    } catch (error) {
      if (error instanceof MustacheError) throw refused(source, error);
      throw error;
    }
    this.#values = VALUES[mediaType];
  }

  /** @param scopes where names are looked up, the last first. @throws illegal_argument_exception when the text grows too long */
  render(scopes: readonly PlainValue[]): string {
    return renderMustache(this.#parts, scopes, this.#values, RENDERED_CHARS_MAX);
  }
}

const templates = new RecentPrograms<TemplateScript>();

/** The template of a request; one that was read before is not read again. @throws script_exception, illegal_argument_exception */
export function templateOf(source: string, mediaType: MediaType): TemplateScript {
  if (source.length > INLINE_SCRIPT_CHARS_MAX) {
    throw illegalArgument(
      `exceeded max allowed inline script size in bytes [${INLINE_SCRIPT_CHARS_MAX}] with size [${source.length}] for script [${source}]`,
    );
  }
  return templates.get(`${mediaType} ${source}`, () => new TemplateScript(source, mediaType));
}

/** Media type of the option `content_type`. @throws illegal_argument_exception for one that has no escaping */
export function mediaTypeOf(option: string | null): MediaType {
  if (option === null || option === JSON_WITH_CHARSET) return 'application/json';
  const known = MEDIA_TYPES.find((type) => type === option);
  if (known === undefined) throw illegalArgument(`No encoder found for MIME type [${option}]`);
  return known;
}

/** What a template says of itself that was written as JSON and not as text. */
export const JSON_WITH_CHARSET = 'application/json; charset=UTF-8';

/** True for a text that is a template. */
export function isTemplate(text: string): boolean {
  return text.includes('{{');
}

function refused(source: string, { message, isMissingTemplate }: MustacheError): ShoalError {
  const type = isMissingTemplate ? 'mustache_not_found_exception' : 'mustache_exception';
  return new ShoalError('script_exception', 400, message, {
    metadata: { script_stack: [], script: source, lang: MUSTACHE },
    causedBy: new ShoalError(type, 400, message),
  });
}

function valuesEscapedBy(escapeText: (text: string) => string): MustacheValues<PlainValue> {
  return {
    member,
    items: listOf,
    isFalse: (value) => value === false || value === '',
    text: shown,
    escape: escapeText,
    json: (value) => (value instanceof Map || listOf(value) !== null ? writeJsonText(written(value)) : shown(value)),
    itemText,
    tooLong: () => illegalArgument(`a template gives more than [${RENDERED_CHARS_MAX}] characters`),
  };
}

const VALUES: Readonly<Record<MediaType, MustacheValues<PlainValue>>> = {
  'application/json': valuesEscapedBy((text) => JSON.stringify(text).slice(1, -1)),
  'text/plain': valuesEscapedBy((text) => text),
  'application/x-www-form-urlencoded': valuesEscapedBy(urlEncoded),
};

function member(value: PlainValue, name: string, place: TagPlace): PlainValue | undefined {
  if (value instanceof Map) return value.get(name);
  const list = listOf(value);
  if (list === null) return undefined;
  if (name === 'size') return list.length;
  if (!/^-?\d{1,9}$/.test(name)) return undefined;
  const position = Number(name);
  if (position >= 0 && position < list.length) return list[position];
  throw outOfRange(position, place);
}

/** What Elasticsearch answers with: a place that no list has is a mistake of the template, found when it runs. */
function outOfRange(position: number, place: TagPlace): ShoalError {
  const [type, reason] =
    position < 0
      ? ['illegal_argument_exception', 'position >= 0']
      : ['index_out_of_bounds_exception', String(position)];
  const where = shownPlace(place);
  return new ShoalError('mustache_exception', SERVER_ERROR, `Failed to get value for ${place.name} ${where}`, {
    causedBy: new ShoalError('mustache_exception', SERVER_ERROR, `${reason} ${where}`, {
      causedBy: new ShoalError(type, SERVER_ERROR, reason),
    }),
  });
}

function itemText(item: PlainValue, place: TagPlace): string {
  if (item !== null) return shown(item);
  const reason = 'Cannot invoke "Object.toString()" because "object" is null';
  throw new ShoalError('mustache_exception', SERVER_ERROR, `Function failure ${shownPlace(place)}`, {
    causedBy: new ShoalError('null_pointer_exception', SERVER_ERROR, reason),
  });
}

/** Lists are shown as the maps of their entries by number; lists inside of other values as lists. */
function shown(value: PlainValue): string {
  const list = listOf(value);
  return list === null ? javaText(value) : `{${list.map((item, at) => `${at}=${javaText(item)}`).join(', ')}}`;
}

/** The value with the text of what JSON has no form for. */
function written(value: PlainValue): PlainValue {
  const list = listOf(value);
  if (list !== null) return list.map(written);
  if (value instanceof Map) return new Map([...value].map(([name, item]) => [name, written(item)]));
  return typeof value === 'object' && value !== null && !(value instanceof DoubleNumber) ? value.toString() : value;
}
