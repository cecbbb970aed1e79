/** Whether the mail servers of this installation forward to outside addresses. */
export abstract class ForwardingSwitch {
  /**
   * @returns false when the setup of the mail servers is not known; true on the embedded database, because no mail server
   * reads it.
   */
  abstract isOn(): Promise<boolean>;
}
