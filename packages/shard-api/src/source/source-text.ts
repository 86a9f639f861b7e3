/**
 * A walk over the text of a stored `_source`, which is valid JSON: it was parsed when it was indexed.
 */
import { assert } from '@shoal/core';

export class SourceText {
  protected readonly text: string;
  protected at = 0;

  constructor(text: string) {
    this.text = text;
  }

  protected skipValue(): void {
    let depth = 0;
    do {
      const c = this.peek();
      if (c === '"') this.skipString();
      else if (c === '{' || c === '[') {
        depth++;
        this.at++;
      } else if (c === '}' || c === ']') {
        depth--;
        this.at++;
      } else if (c === ',' || c === ':') this.at++;
      else this.skipWord();
    } while (depth > 0);
  }

  /** A number or a literal. */
  protected skipWord(): void {
    while (this.at < this.text.length && !' \t\r\n,]}'.includes(this.text[this.at] ?? '')) this.at++;
  }

  protected skipString(): void {
    this.at++;
    while (this.text[this.at] !== '"') {
      assert(this.at < this.text.length, 'stored source ends inside a string');
      this.at += this.text[this.at] === '\\' ? 2 : 1;
    }
    this.at++;
  }

  protected peek(): string {
    while (' \t\r\n'.includes(this.text[this.at] ?? '#')) this.at++;
    assert(this.at < this.text.length, 'stored source ends inside a value');
    return this.text[this.at] ?? '';
  }

  protected expect(c: string): void {
    assert(this.peek() === c, `stored source: expected ${c} at ${this.at}`);
    this.at++;
  }
}
