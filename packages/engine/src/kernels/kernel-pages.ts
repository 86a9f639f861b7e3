/** Pages of a memory of kernels at once, and at most: 4 GiB, all that 32-bit addresses reach. */
export const KERNEL_PAGES = { first: 16, max: 65_536 } as const;
