/**
 * Strings as code points, and as what a reader takes for one character.
 */
import type { Machine, Methods, RubyProc, RubyString, Value } from '../values/ruby-value.ts';
import { STRING, str } from '../values/ruby-value.ts';

const clusters = (text: string): Value[] =>
  Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => str(segment));

function given(machine: Machine, self: RubyString, items: Value[], block: RubyProc | null): Value {
  machine.grow(items.length);
  if (block === null) return items;
  for (const item of items) {
    machine.step();
    block.run([item], null);
  }
  return self;
}

const CODE_POINTS: Methods<RubyString> = {
  each_codepoint: (machine, self, _args, block) =>
    given(
      machine,
      self,
      Array.from(self.text, (char) => char.codePointAt(0) ?? 0),
      block,
    ),
  grapheme_clusters: (machine, self, _args, block) => given(machine, self, clusters(self.text), block),
  each_grapheme_cluster: (machine, self, _args, block) => given(machine, self, clusters(self.text), block),
  'unicode_normalized?': (machine, self, args) =>
    (machine.call(self, 'unicode_normalize', args) as RubyString).text === self.text,
};

export function defineCodePoints(): void {
  STRING.define(CODE_POINTS);
}
