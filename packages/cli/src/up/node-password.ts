/**
 * The password that nodes of a local cluster ask for, from where they have it themselves: `up` and its agent ask them too.
 */
import { elasticsearchEnvironment } from '../options/elasticsearch-environment.ts';
import { gatherSettings } from '../options/setting-sources.ts';

const PASSWORD = 'bootstrap.password';
const USER = 'elastic';

export interface PasswordSources {
  /** `name=value` pairs of `--set`. */
  readonly assignments: readonly string[];
  /** Nodes take the variables of Elasticsearch's container image too. */
  readonly elasticsearchEnvironment: boolean;
}

/** null: they ask nobody. */
export async function passwordOfNodes(sources: PasswordSources): Promise<string | null> {
  const settings = await gatherSettings({
    configFile: null,
    environment: process.env,
    knownNames: [PASSWORD],
    ofEnvironment: elasticsearchEnvironment(sources.elasticsearchEnvironment ? process.env : {}).settings,
    flags: {},
    assignments: sources.assignments,
  });
  return settings[PASSWORD] ?? null;
}

/** An address with user and password in it, for requests; it is not for showing. */
export function withPassword(url: string, password: string | null): string {
  if (password === null) return url;
  return url.replace('//', `//${USER}:${encodeURIComponent(password)}@`);
}
