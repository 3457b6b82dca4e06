"""Kernels at work: trials, rounds of samples, devices, locks, executors. Come here to change how things are run.

``executors``      names of executors, and which module connects to each
``local``          the executor ``local``: devices of this machine
``ray``            the executor ``ray``: devices of a cluster
``single_device``  one device in the calling thread, with builds ahead
``multi_device``   several devices, one thread each
``trial_runner``   one configuration on one device: build, verify, measure
``measure``        times one kernel beside the reference
``clocks``         whether the times of a kernel can be believed
``rounds``         samples of several kernels in shuffled rounds
``confirm``        the race of the finalists, then the winner beside the baseline's own build
``confirm_plan``   how long and how strictly a confirmation samples
``confirmation``   one confirmation in progress, within its budget of time
``take``           kernels sampled in the same rounds, and what they say
``locks``          one measuring process a device
"""
