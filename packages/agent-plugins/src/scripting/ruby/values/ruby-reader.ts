/**
 * What a script reads from: the contents of a file, or a string.
 */
import { OBJECT, RubyClass, RubyObject, RubyString } from './ruby-value.ts';

export const IO: RubyClass = new RubyClass('IO', OBJECT);
export const FILE: RubyClass = new RubyClass('File', IO);
export const STRING_IO: RubyClass = new RubyClass('StringIO', OBJECT);

export class RubyReader extends RubyObject {
  readonly rubyClass: RubyClass;
  private readonly contents: RubyString;
  /** Offset in `text` of what is read next. */
  private position = 0;

  constructor(contents: RubyString, rubyClass: RubyClass) {
    super();
    this.contents = contents;
    this.rubyClass = rubyClass;
  }

  get text(): string {
    return this.contents.text;
  }

  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  /** Reads all that is left. */
  rest(): string {
    const text = this.text.slice(this.position);
    this.position = this.text.length;
    return text;
  }

  /** Reads one line with its end; null at the end. */
  line(): string | null {
    if (this.isAtEnd) return null;
    const end = this.text.indexOf('\n', this.position);
    const text = this.text.slice(this.position, end < 0 ? undefined : end + 1);
    this.position += text.length;
    return text;
  }

  rewind(): void {
    this.position = 0;
  }

  append(text: string): void {
    this.contents.text += text;
    this.position = this.text.length;
  }

  /** A string of the same kind as the contents. */
  string(text: string): RubyString {
    return new RubyString(text, this.contents.isBinary);
  }
}
