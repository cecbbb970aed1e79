/** Whether the mail servers of this installation forward to outside addresses. */
export abstract class ForwardingSwitch {
  /** False when nothing is known of the mail servers; true on the embedded database, which no mail server reads. */
  abstract isOn(): Promise<boolean>;
}
