/**
 * Watermarks of disks, from settings: how much space a node keeps free before it gets no more copies (low), has copies moved away
 * (high), and has its indices closed to writes (flood stage).
 */
import { asShoalError, illegalArgument, parseByteSize } from '@shoal/core';
import type { ClusterSettings } from '../../reading/cluster-settings.ts';
import type { DiskUsage } from './allocation-context.ts';

const ENABLED = 'cluster.routing.allocation.disk.threshold_enabled';
/** Elasticsearch 7 has it false, 8 takes true alone: one node has nowhere else to put a copy. */
const OF_SINGLE_NODE = 'cluster.routing.allocation.disk.watermark.enable_for_single_data_node';
const LOW = 'cluster.routing.allocation.disk.watermark.low';
const HIGH = 'cluster.routing.allocation.disk.watermark.high';
const FLOOD = 'cluster.routing.allocation.disk.watermark.flood_stage';
const LOW_HEADROOM = 'cluster.routing.allocation.disk.watermark.low.max_headroom';
const HIGH_HEADROOM = 'cluster.routing.allocation.disk.watermark.high.max_headroom';
const FLOOD_HEADROOM = 'cluster.routing.allocation.disk.watermark.flood_stage.max_headroom';
const GIB = 1024 ** 3;

export interface Watermark {
  /** Setting with its value, as texts name both. */
  readonly text: string;
  /** Bytes that are to be free on a disk of that size. */
  freeBytes(totalBytes: number): number;
}

export interface DiskRules {
  /** Watermarks also keep copies from the only data node of a cluster. */
  readonly appliesToSingleNode: boolean;
  readonly low: Watermark;
  readonly high: Watermark;
  readonly flood: Watermark;
}

/** The highest watermark that a disk is above; `unknown`: nobody knows how full it is. */
export type DiskLevel = 'fine' | 'low' | 'high' | 'flood' | 'unknown';

/** A share of the disk that may be used, 0..1, or bytes that are to be free. */
type Threshold =
  | { readonly kind: 'share'; readonly value: number }
  | { readonly kind: 'bytes'; readonly value: number };

export interface WatermarkLevel {
  readonly setting: string;
  readonly headroomSetting: string;
  readonly defaultText: string;
  /** Bytes that are free enough on a disk of any size, where neither the watermark nor its headroom is set. */
  readonly defaultHeadroomBytes: number;
}

const LEVEL_LOW: WatermarkLevel = {
  setting: LOW,
  headroomSetting: LOW_HEADROOM,
  defaultText: '85%',
  defaultHeadroomBytes: 200 * GIB,
};
const LEVEL_HIGH: WatermarkLevel = {
  setting: HIGH,
  headroomSetting: HIGH_HEADROOM,
  defaultText: '90%',
  defaultHeadroomBytes: 150 * GIB,
};
const LEVEL_FLOOD: WatermarkLevel = {
  setting: FLOOD,
  headroomSetting: FLOOD_HEADROOM,
  defaultText: '95%',
  defaultHeadroomBytes: 100 * GIB,
};
/** From the one that is passed first. */
export const WATERMARK_LEVELS: readonly WatermarkLevel[] = [LEVEL_LOW, LEVEL_HIGH, LEVEL_FLOOD];

/** null: disks are not looked at. */
export function diskRules(settings: ClusterSettings): DiskRules | null {
  if (settings[ENABLED] === 'false') return null;
  return {
    appliesToSingleNode: settings[OF_SINGLE_NODE] === 'true',
    low: watermark(LEVEL_LOW, settings),
    high: watermark(LEVEL_HIGH, settings),
    flood: watermark(LEVEL_FLOOD, settings),
  };
}

export function diskLevelOf({ low, high, flood }: DiskRules, usage: DiskUsage | null): DiskLevel {
  if (usage === null) return 'unknown';
  const { totalBytes, freeBytes } = usage;
  if (freeBytes < flood.freeBytes(totalBytes)) return 'flood';
  if (freeBytes < high.freeBytes(totalBytes)) return 'high';
  return freeBytes < low.freeBytes(totalBytes) ? 'low' : 'fine';
}

/** Throws for a value that is neither a percentage, nor a ratio, nor bytes. */
export function checkWatermark(text: string, setting: string): void {
  const { kind, value } = parseThreshold(text, setting);
  if (kind === 'share' && (value < 0 || value > 1)) {
    throw illegalArgument(`percentage should be in [0-100], got [${text}]`);
  }
}

/** Throws where watermarks contradict each other. @param settings cluster settings in force */
export function checkDiskRules(settings: ClusterSettings): void {
  const texts = WATERMARK_LEVELS.map(({ setting, defaultText }) => settings[setting] ?? defaultText);
  const thresholds = WATERMARK_LEVELS.map(({ setting }, i) => parseThreshold(texts[i] ?? '', setting));
  if (new Set(thresholds.map(({ kind }) => kind)).size > 1) {
    const shown = WATERMARK_LEVELS.map(({ setting }, i) => `[${setting}=${texts[i]}]`);
    throw illegalArgument(
      `unable to consistently parse ${shown[0]}, ${shown[1]}, and ${shown[2]} as percentage or bytes`,
    );
  }
  for (const [i, name] of [
    [0, 'low'],
    [1, 'high'],
  ] as const) {
    const [lower, upper] = [thresholds[i], thresholds[i + 1]];
    if (lower === undefined || upper === undefined) continue;
    const isBeyond = lower.kind === 'share' ? lower.value > upper.value : lower.value < upper.value;
    if (!isBeyond) continue;
    const than = i === 0 ? 'high' : 'flood stage';
    throw illegalArgument(
      `${name} disk watermark [${texts[i]}] ${lower.kind === 'share' ? 'more' : 'less'} than ${than} disk watermark [${texts[i + 1]}]`,
    );
  }
  for (const [i, { setting, headroomSetting }] of WATERMARK_LEVELS.entries()) {
    if (
      thresholds[i]?.kind === 'bytes' &&
      settings[headroomSetting] !== undefined &&
      settings[headroomSetting] !== '-1'
    ) {
      throw illegalArgument(`[${headroomSetting}] is set, and [${setting}=${texts[i]}] is not a percentage or ratio`);
    }
  }
}

function watermark(level: WatermarkLevel, settings: ClusterSettings): Watermark {
  const { setting, headroomSetting, defaultText, defaultHeadroomBytes } = level;
  const text = settings[setting] ?? defaultText;
  const threshold = parseThreshold(text, setting);
  const headroomText = settings[headroomSetting];
  const headroom =
    headroomText !== undefined
      ? parseByteSize(headroomText, headroomSetting)
      : settings[setting] === undefined
        ? defaultHeadroomBytes
        : -1;
  return {
    text: `${setting}=${text}`,
    freeBytes: (totalBytes) => {
      if (threshold.kind === 'bytes') return threshold.value;
      const free = totalBytes - Math.floor(totalBytes * threshold.value);
      return headroom < 0 ? free : Math.min(free, headroom);
    },
  };
}

function parseThreshold(text: string, setting: string): Threshold {
  const share = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim());
  if (share !== null && (share[2] === '%' || text.includes('.') || Number(share[1]) === 1)) {
    return { kind: 'share', value: share[2] === '%' ? Number(share[1]) / 100 : Number(share[1]) };
  }
  try {
    return { kind: 'bytes', value: parseByteSize(text, setting) };
  } catch (error) {
    throw illegalArgument(asShoalError(error).message, { causedBy: asShoalError(error) });
  }
}
