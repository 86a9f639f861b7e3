import { expect, test } from 'vitest';
import { makeCodec } from '../../plugin-instance.test-support.ts';
import { sample, textOf } from '../codec-text.test-support.ts';

test('dots writes a dot', () => expect(textOf(makeCodec('dots'), sample())).toBe('.'));
