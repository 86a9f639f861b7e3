/**
 * Command line of `shoal agent`, as far as the process that runs the agent needs it.
 */

export interface AgentArguments {
  /** Settings as YAML; null for `agent.yml` in the folder of `path.settings`. */
  readonly configFile: string | null;
  /** Settings by name, from flags of their own. */
  readonly flags: Readonly<Record<string, string>>;
  /** Settings as `name=value`, from `--set`. */
  readonly assignments: readonly string[];
}
