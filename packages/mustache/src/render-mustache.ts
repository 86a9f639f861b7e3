/**
 * Renders templates over values of any model. What a template can come to is bounded in characters and lookups: lists
 * within lists grow without other bounds.
 */
import type { MustachePart, TagPlace } from './parse-mustache.ts';
import { urlEncoded } from './url-encoded.ts';

/** What a template asks of values. */
export interface MustacheValues<V> {
  /** Member of an object or a list; undefined where there is none. */
  member(value: V, name: string, place: TagPlace): V | undefined;
  /** null for a value that is no list. */
  items(value: V): readonly V[] | null;
  /** Whether a section over the value is left out; lists are asked for their items. */
  isFalse(value: V): boolean;
  text(value: V): string;
  escape(text: string): string;
  json(value: V): string;
  /** Text of an item that `join` puts beside others. */
  itemText(value: V, place: TagPlace): string;
  /** The text grows too long. */
  tooLong(): Error;
}

/**
 * @param scopes where names are looked up, the last first
 * @param workMax characters of the text, and scopes in which its tags look for their names
 */
export function renderMustache<V>(
  parts: readonly MustachePart[],
  scopes: readonly V[],
  values: MustacheValues<V>,
  workMax: number,
): string {
  const writer = new TemplateWriter(values, workMax);
  writer.write(parts, scopes);
  return writer.text;
}

class TemplateWriter<V> {
  text = '';
  readonly #values: MustacheValues<V>;
  #workLeft: number;

  constructor(values: MustacheValues<V>, workMax: number) {
    this.#values = values;
    this.#workLeft = workMax;
  }

  write(parts: readonly MustachePart[], scopes: readonly V[]): void {
    for (const part of parts) {
      // A name is looked up in each scope.
      this.#spend(scopes.length);
      switch (part.kind) {
        case 'text':
          this.#add(part.text);
          break;
        case 'value':
          this.#value(part, scopes);
          break;
        case 'section':
          this.#section(part, scopes);
          break;
        default:
          this.#call(part, scopes);
      }
    }
  }

  #value({ place, isEscaped }: MustachePart & { readonly kind: 'value' }, scopes: readonly V[]): void {
    const value = this.#find(place, scopes);
    if (value === undefined || value === null) return;
    const text = this.#values.text(value);
    this.#add(isEscaped ? this.#values.escape(text) : text);
  }

  #section({ place, isInverted, parts }: MustachePart & { readonly kind: 'section' }, scopes: readonly V[]): void {
    const value = this.#find(place, scopes) ?? null;
    const isFalse = value === null || this.#values.isFalse(value);
    const items = isFalse ? [] : (this.#values.items(value) ?? [value]);
    if (isInverted) {
      if (items.length === 0) this.write(parts, scopes);
      return;
    }
    for (const item of items) {
      this.#spend(scopes.length);
      // An item that is null is no scope: names are looked up around it.
      this.write(parts, item === null ? scopes : [...scopes, item]);
    }
  }

  #call({ call, place, parts }: MustachePart & { readonly kind: 'call' }, scopes: readonly V[]): void {
    if (call.name === 'url') {
      this.#add(urlEncoded(this.#inner(parts, scopes)));
      return;
    }
    const value = this.#find(place, scopes) ?? null;
    if (call.name === 'toJson') {
      if (value !== null) this.#add(this.#values.json(value));
      return;
    }
    const items = value === null ? null : this.#values.items(value);
    if (items === null) this.#add(this.#inner(parts, scopes));
    else this.#add(items.map((item) => this.#values.itemText(item, place)).join(call.delimiter));
  }

  /** Text of the parts on their own. */
  #inner(parts: readonly MustachePart[], scopes: readonly V[]): string {
    const before = this.text;
    this.text = '';
    this.write(parts, scopes);
    const inner = this.text;
    this.text = before;
    return inner;
  }

  /** The innermost scope that knows the first name decides; a name with points may be that of one member. */
  #find(place: TagPlace, scopes: readonly V[]): V | undefined {
    const { name, path } = place;
    if (name === '.') return scopes.at(-1);
    const [first = ''] = path;
    for (let depth = scopes.length - 1; depth >= 0; depth--) {
      const scope = scopes[depth];
      if (scope === undefined || scope === null) continue;
      const found = this.#values.member(scope, first, place);
      if (found !== undefined) return this.#inside(found, place);
      const whole = path.length === 1 ? undefined : this.#values.member(scope, name, place);
      if (whole !== undefined) return whole;
    }
    return undefined;
  }

  /** What the rest of the name names in the value of its first part. */
  #inside(value: V, place: TagPlace): V | undefined {
    let found: V | undefined = value;
    for (let at = 1; at < place.path.length; at++) {
      if (found === undefined || found === null) return undefined;
      found = this.#values.member(found, place.path[at] ?? '', place);
    }
    return found;
  }

  #add(text: string): void {
    this.#spend(text.length);
    this.text += text;
  }

  #spend(work: number): void {
    this.#workLeft -= work;
    if (this.#workLeft < 0) throw this.#values.tooLong();
  }
}
