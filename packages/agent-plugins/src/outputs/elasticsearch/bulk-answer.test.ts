import { describe, expect, test } from 'vitest';
import { BulkAnswers, DONE } from './bulk-answer.ts';

const bytesOf = (answer: unknown): Uint8Array => Buffer.from(JSON.stringify(answer));
const written = (count: number, status = 201): unknown => ({
  errors: false,
  items: Array(count).fill({ index: { status } }),
});

describe('the answer to a bulk request', () => {
  test('has a status for each item, whatever was answered before', () => {
    const answers = new BulkAnswers();
    for (const count of [3, 1, 2, 3, 5, 4])
      expect(answers.read(bytesOf(written(count)), count)).toEqual({
        statuses: Array(count).fill(DONE),
        hasErrors: false,
      });
    const error = { type: 't', reason: 'r', caused_by: { reason: 'c' } };
    const items = [{ index: { status: 201 } }, { index: { status: 429, error } }];
    expect(answers.read(bytesOf({ errors: true, items }), 2)).toEqual({
      statuses: [DONE, { status: 429, error: 't: r, caused by c', errorType: 't' }],
      hasErrors: true,
    });
    expect(answers.read(bytesOf(written(2, 200)), 2).statuses).toEqual([DONE, DONE]);
    expect(answers.read(bytesOf(written(3)), 3).statuses).toEqual([DONE, DONE, DONE]);
  });

  test('about fewer items than were sent, or more, is none, although it begins like one before', () => {
    const answers = new BulkAnswers();
    answers.read(bytesOf(written(4)), 4);
    for (const count of [2, 5]) expect(() => answers.read(bytesOf(written(3)), count)).toThrow(/3 items for/);
    expect(() => answers.read(bytesOf({ errors: false }), 1)).toThrow('0 items for 1');
  });

  test.each([
    ['is cut', (text: string) => text.slice(0, -1)],
    ['ends otherwise', (text: string) => `${text.slice(0, -2)},}`],
  ])('that %s is no JSON, although it begins like one before', (_, change) => {
    const answers = new BulkAnswers();
    answers.read(bytesOf(written(4)), 4);
    const bytes = Buffer.from(change(JSON.stringify(written(3))));
    expect(() => answers.read(bytes, 3)).toThrow(SyntaxError);
  });

  test('says what became of each item where items differ in length or order', () => {
    const answers = new BulkAnswers();
    const mixed = [{ delete: { status: 200 } }, { index: { status: 201 } }, { delete: { status: 404 } }];
    for (let again = 0; again < 2; again++) {
      expect(answers.read(bytesOf({ errors: false, items: mixed }), 3).statuses.map(({ status }) => status)).toEqual([
        201, 201, 404,
      ]);
      expect(answers.read(bytesOf({ errors: false, items: mixed.slice(0, 2), took: 1 }), 2).statuses).toEqual([
        DONE,
        DONE,
      ]);
    }
  });

  test('of one item is known by its bytes alone', () => {
    const answers = new BulkAnswers();
    answers.read(bytesOf(written(1)), 1);
    const refused = { errors: false, items: [{ index: { status: 429 } }] };
    expect(answers.read(bytesOf(refused), 1).statuses[0]?.status).toBe(429);
  });
});
