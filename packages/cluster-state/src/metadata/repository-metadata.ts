/**
 * Snapshot repositories in the cluster state, on the wire and on disk: a name for a folder that all nodes share.
 */
import { type ItemReader, ValueReader } from '@shoal/core';

export interface RepositoryMetadata {
  readonly name: string;
  readonly type: string;
  /** Settings that the user gave; every value as text. */
  readonly settings: Readonly<Record<string, string>>;
}

export const REPOSITORIES_MAX = 1_000;
export const REPOSITORY_SETTINGS_MAX = 100;

export function writeRepositories(
  repositories: ReadonlyMap<string, RepositoryMetadata>,
): readonly Record<string, unknown>[] {
  return [...repositories.values()].map(({ name, type, settings }) => ({ name, type, settings: { ...settings } }));
}

const readRepository: ItemReader<RepositoryMetadata> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    name: r.string('name'),
    type: r.string('type'),
    settings: r.map('settings', ValueReader.asString, REPOSITORY_SETTINGS_MAX),
  };
};

/** All repositories of a state, by name. */
export const readRepositories: ItemReader<ReadonlyMap<string, RepositoryMetadata>> = (value, field) => {
  const list = new ValueReader({ repositories: value }, field).list('repositories', readRepository, REPOSITORIES_MAX);
  return new Map(list.map((repository) => [repository.name, repository]));
};
