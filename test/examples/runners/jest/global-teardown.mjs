import { run } from './shoal-run.mjs';

export default run.stop;
