import { createEvent, type EventValue } from '@shoal/agent-event';
import { expect, test } from 'vitest';
import { compileInputDecoration, compileMatchDecoration } from './decorations.ts';

function eventWith(tags: EventValue | undefined) {
  return createEvent(new Map<string, EventValue>(tags === undefined ? [] : [['tags', tags]]));
}

test.each<[EventValue | undefined, readonly string[], EventValue]>([
  [undefined, ['foo'], ['foo']],
  ['foo', ['bar'], ['foo', 'bar']],
  ['foo', ['foo'], ['foo', 'foo']],
  [['foo', 'bar'], ['foo'], ['foo', 'bar', 'foo']],
  [undefined, ['foo', 'foo'], ['foo', 'foo']],
])('add_tag with the tags %j adds %j, also where it is there', (tags, addTag, expected) => {
  const event = eventWith(tags);
  compileMatchDecoration({ addTag })?.(event);
  expect(event.fields.get('tags')).toEqual(expected);
});

test('an input adds its tags also where the codec has set them', () => {
  const event = eventWith(['a']);
  compileInputDecoration({ tags: ['a', 'b'] })(event);
  expect(event.fields.get('tags')).toEqual(['a', 'a', 'b']);
});
