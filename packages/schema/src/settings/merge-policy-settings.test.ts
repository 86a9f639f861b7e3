import { describe, expect, test } from 'vitest';
import { parseIndexSettings, updateIndexSettings } from './index-settings.ts';
import { MERGE_POLICY_DEFAULTS } from './merge-policy-settings.ts';
import { typedIndexSettings } from './typed-index-settings.ts';

const MB = 1024 * 1024;
const policy = (settings: Readonly<Record<string, unknown>>) =>
  typedIndexSettings(parseIndexSettings({ merge: { policy: settings } })).mergePolicy;

describe('settings of the merge policy', () => {
  test('have the defaults of Elasticsearch', () => {
    expect(MERGE_POLICY_DEFAULTS).toEqual({
      floorSegmentBytes: 2 * MB,
      maxMergedSegmentBytes: 5 * 1024 * MB,
      maxMergeAtOnce: 10,
      segmentsPerTier: 10,
      deletesPctAllowed: 20,
      expungeDeletesPctAllowed: 10,
    });
    expect(policy({ max_merged_segment: '0' })).toEqual(MERGE_POLICY_DEFAULTS);
  });

  test('are read, and never join more than a tier has', () => {
    expect(
      policy({
        floor_segment: '16mb',
        max_merged_segment: '1gb',
        max_merge_at_once: 4,
        segments_per_tier: '6.5',
        deletes_pct_allowed: 5.5,
        expunge_deletes_allowed: 0,
      }),
    ).toEqual({
      floorSegmentBytes: 16 * MB,
      maxMergedSegmentBytes: 1024 * MB,
      maxMergeAtOnce: 4,
      segmentsPerTier: 6.5,
      deletesPctAllowed: 5.5,
      expungeDeletesPctAllowed: 0,
    });
    expect(policy({ segments_per_tier: 2.5 }).maxMergeAtOnce).toBe(2);
    expect(policy({ segments_per_tier: 5 }).maxMergeAtOnce).toBe(5);
  });

  test.each([
    ['segments_per_tier', '1.5', 'Failed to parse value [1.5] for setting [KEY] must be >= 2.0'],
    ['segments_per_tier', 'few', 'Failed to parse value [few] for setting [KEY]'],
    ['deletes_pct_allowed', '4', 'Failed to parse value [4] for setting [KEY] must be >= 5.0'],
    ['deletes_pct_allowed', '50.5', 'Failed to parse value [50.5] for setting [KEY] must be <= 50.0'],
    ['expunge_deletes_allowed', '-1', 'Failed to parse value [-1] for setting [KEY] must be >= 0.0'],
    ['max_merge_at_once', '1', 'Failed to parse value [1] for setting [KEY] must be >= 2'],
    ['floor_segment', '0', 'failed to parse value [0] for setting [KEY], must be >= [1b]'],
    ['max_merged_segment', '-1', 'failed to parse value [-1] for setting [KEY], must be >= [0b]'],
    [
      'max_merged_segment',
      '5',
      'failed to parse setting [KEY] with value [5] as a size in bytes: unit is missing or unrecognized',
    ],
  ])('refuse %s %s', (name, value, message) => {
    const key = `index.merge.policy.${name}`;
    const expected = expect.objectContaining({ status: 400, message: message.replace('KEY', key) });
    expect(() => parseIndexSettings({ [key]: value })).toThrow(expected);
    expect(() => updateIndexSettings({}, { [key]: value }, { isOpen: true })).toThrow(expected);
  });

  test('change while an index is open', () => {
    const flat = updateIndexSettings({}, { 'merge.policy.segments_per_tier': 3 }, { isOpen: true });
    expect(typedIndexSettings(flat).mergePolicy.segmentsPerTier).toBe(3);
  });
});
