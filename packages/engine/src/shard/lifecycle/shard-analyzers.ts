/**
 * The analyzers of one shard, which stay as they were made until settings of them change or they are reloaded.
 *
 * Other changes of settings make none anew: files that they name may say something else by now, and documents in the index were cut by what they
 * said.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type AnalyzerRegistry,
  analysisSettings,
  createAnalyzers,
  reloadedAnalyzers,
  withoutSynonymSets,
} from '@shoal/analysis';
import type { ConfigFiles } from '@shoal/core';
import type { FlatIndexSettings } from '@shoal/schema';

export class ShardAnalyzers {
  readonly #files: ConfigFiles;
  readonly #onReload: () => void;
  #settings: FlatIndexSettings;
  #registry: AnalyzerRegistry;

  constructor(settings: FlatIndexSettings, files: ConfigFiles, onReload: () => void) {
    this.#files = files;
    this.#onReload = onReload;
    this.#settings = settings;
    this.#registry = createAnalyzers(settings, files);
  }

  get registry(): AnalyzerRegistry {
    return this.#registry;
  }

  /** @returns whether there are other analyzers now */
  update(settings: FlatIndexSettings): boolean {
    const before = this.#settings;
    this.#settings = settings;
    const [now, then] = [analysisSettings(settings), analysisSettings(before)];
    if (isDeepStrictEqual(now, then)) return false;
    if (isDeepStrictEqual(withoutSynonymSets(now), withoutSynonymSets(then))) {
      this.reload();
      return false;
    }
    this.#registry = createAnalyzers(settings, this.#files);
    return true;
  }

  /**
   * Makes analyzers anew that only searches have, with what their files hold by now.
   *
   * @throws ShoalError when one cannot be made: all stay as they were
   */
  reload(): void {
    this.#registry = reloadedAnalyzers(this.#registry, this.#settings, this.#files);
    this.#onReload();
  }
}
