/** Whether the mail servers of this installation forward to outside addresses. */
export abstract class ForwardingSwitch {
  /**
   * @returns false when the administrator has not stored the setting in the database. On the embedded database always
   * true, because no mail server reads that database.
   */
  abstract isOn(): Promise<boolean>;
}
