/**
 * The options of one aggregation, read by name; what nobody read is an unknown option and refused.
 */
import {
  contentError,
  illegalArgument,
  isShoalError,
  type JsonLocation,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  jsonNodeValue,
  ShoalError,
  tokenName,
  unknownMember,
  writeJsonText,
} from '@shoal/core';
import { type QueryValue, readBoolean, readInteger, readNumber, readQueryValue, readString } from '@shoal/query';

/** Errors of a value that do not say by themselves where it stands. */
const VALUE_ERRORS: ReadonlySet<string> = new Set([
  'illegal_argument_exception',
  'parsing_exception',
  'zone_rules_exception',
  'date_time_exception',
]);

const SCALARS: readonly JsonNode['kind'][] = ['string', 'number', 'boolean'];

export class OptionReader {
  readonly type: string;
  readonly node: JsonObjectNode;
  private readonly values = new Map<string, JsonNode>();
  private readonly unread = new Set<string>();
  /** Names that were asked for: those that the aggregation knows. */
  private readonly known = new Set<string>();
  /** First of what the request lacks. */
  private lacked: ShoalError | null = null;

  constructor(type: string, node: JsonNode) {
    if (node.kind !== 'object') {
      throw contentError(node.at, `Expected [START_OBJECT] under [${type}], but got a [${tokenName(node)}]`);
    }
    this.type = type;
    this.node = node;
    for (const member of node.members) {
      this.values.set(member.name, member.value);
      this.unread.add(member.name);
    }
  }

  has(name: string): boolean {
    this.known.add(name);
    return this.values.has(name);
  }

  /** null when not given, or given as null. */
  take(name: string): JsonNode | null {
    this.known.add(name);
    this.unread.delete(name);
    const node = this.values.get(name) ?? null;
    return node?.kind === 'null' ? null : node;
  }

  /** null when not given; what is given as null is refused. */
  private given(name: string): JsonNode | null {
    const node = this.take(name);
    const isNull = this.values.get(name)?.kind === 'null';
    if (isNull) throw contentError(this.at(name), `[${this.type}] ${name} doesn't support values of type: VALUE_NULL`);
    return node;
  }

  /** Null when not given. @throws ShoalError for what is of none of the kinds that may stand there */
  ofKind(name: string, kinds: readonly JsonNode['kind'][]): JsonNode | null {
    const node = this.given(name);
    if (node !== null && !kinds.includes(node.kind)) throw this.wrongKind(node, name);
    return node;
  }

  private wrongKind(node: JsonNode, name: string): ShoalError {
    return contentError(node.at, `[${this.type}] ${name} doesn't support values of type: ${tokenName(node)}`);
  }

  private parsed<T>(node: JsonNode, name: string, read: (node: JsonNode, name: string) => T): T {
    try {
      return read(node, name);
    } catch (error) {
      if (!isShoalError(error)) throw error;
      const text = node.kind === 'string' ? `For input string: "${node.value}"` : error.reason;
      const type = node.kind === 'string' ? 'number_format_exception' : error.type;
      const cause = new ShoalError(type, 400, text);
      throw contentError(node.at, `[${this.type}] failed to parse field [${name}]`, cause);
    }
  }

  /** What is wrong with the value of an option becomes the cause of an error that says where it stands. */
  within<T>(name: string, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!isShoalError(error) || !VALUE_ERRORS.has(error.type)) throw error;
      const { line, col } = error.metadata;
      const at = typeof line === 'number' && typeof col === 'number' ? { line, col } : this.at(name);
      throw contentError(at, `[${this.type}] failed to parse field [${name}]`, error);
    }
  }

  private at(name: string): JsonLocation {
    return this.values.get(name)?.at ?? this.node.at;
  }

  /** A text and nothing that may be read as one. */
  text(name: string): string | null {
    const node = this.ofKind(name, ['string']);
    return node && readString(node, name);
  }

  /** A text, or a number or boolean as it is written. */
  string(name: string): string | null {
    const node = this.ofKind(name, SCALARS);
    return node && readString(node, name);
  }

  number(name: string): number | null {
    const node = this.ofKind(name, ['number', 'string']);
    return node && this.parsed(node, name, readNumber);
  }

  integer(name: string): number | null {
    const node = this.ofKind(name, ['number', 'string']);
    return node && this.parsed(node, name, readInteger);
  }

  boolean(name: string, fallback: boolean): boolean {
    const node = this.ofKind(name, ['boolean', 'string']);
    return node === null ? fallback : this.parsed(node, name, readBoolean);
  }

  /** One of a few words; null when not given. @throws ShoalError naming the option for another word */
  word<W extends string>(name: string, words: readonly W[]): W | null {
    const node = this.ofKind(name, ['string']);
    if (node === null) return null;
    const text = readString(node, name);
    const known = words.find((word) => word === text.toLowerCase());
    if (known !== undefined) return known;
    const cause = new ShoalError('parse_exception', 400, `no [${name}] found for value [${text}]`);
    throw contentError(node.at, `[${this.type}] failed to parse field [${name}]`, cause);
  }

  scalar(name: string): QueryValue {
    const node = this.take(name);
    if (node !== null && !SCALARS.includes(node.kind)) throw this.wrongKind(node, name);
    return node && readQueryValue(node, name);
  }

  list(name: string): readonly JsonNode[] | null {
    const node = this.given(name);
    if (node === null) return null;
    if (node.kind !== 'array') throw this.wrongKind(node, name);
    return node.items;
  }

  object(name: string, type: string = name): OptionReader | null {
    const node = this.take(name);
    return node && new OptionReader(type, node);
  }

  /** Refuses by name what this server does not do: an answer that ignores it would be wrong. */
  refuse(name: string): void {
    if (this.take(name) !== null) throw illegalArgument(`[${name}] of [${this.type}] is not supported by this server`);
  }

  /** Accepted, since it changes how and not what. */
  ignore(...names: readonly string[]): void {
    for (const name of names) {
      this.known.add(name);
      this.unread.delete(name);
    }
  }

  /** @throws ShoalError when an option was not read */
  finish(): void {
    const [first] = this.unread;
    if (first !== undefined) throw this.unknown(first);
    if (this.lacked !== null) throw this.lacked;
  }

  /** The first option that nobody read; null where all were. */
  firstUnread(): JsonMember | null {
    return this.node.members.find(({ name }) => this.unread.has(name)) ?? null;
  }

  /** Notes that an option is not there: told when all are read, since one that is misspelt is told as unknown. */
  lack(error: ShoalError): void {
    this.lacked ??= error;
  }

  /** 400: nobody reads the option. */
  unknown(option: string): ShoalError {
    const at = this.node.members.find(({ name }) => name === option)?.at ?? this.node.at;
    return unknownMember(this.type, { name: option, at }, this.known);
  }
}

/** JSON text of a member that is an object; null for what is none. */
export function objectText(node: JsonNode | null): string | null {
  return node?.kind === 'object' ? writeJsonText(jsonNodeValue(node)) : null;
}
