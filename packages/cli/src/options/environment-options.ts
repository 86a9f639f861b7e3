/**
 * Every flag as a variable: `--http-port` is `SHOAL_HTTP_PORT`, for commands whose flags are not settings of a node.
 */
import { Option } from 'commander';

/** An option that may be given as a variable too; the command line beats it. `--help` shows the name. */
export function flag(flags: string, description: string, standard?: string): Option {
  const option = new Option(flags, description);
  if (standard !== undefined) option.default(standard);
  const name = option.long?.slice(2) ?? '';
  return option.env(`SHOAL_${name.replaceAll(/[-.]/g, '_').toUpperCase()}`);
}
