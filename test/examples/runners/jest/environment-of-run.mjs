import { TestEnvironment } from 'jest-environment-node';
import { withShoalOfRun } from 'shoal/testing/jest';

/** The global `shoal` of tests has the address of a node of the run. */
export default withShoalOfRun(TestEnvironment);
