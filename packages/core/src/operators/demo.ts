/** Whether the service is a demo: all of its data is invented. */
export class Demo {
  constructor(readonly isDemo: boolean) {}
}
