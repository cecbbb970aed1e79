/** @throws always: class-validator then takes the text for no telephone number */
exports.parsePhoneNumber = () => {
  throw new Error('Telephone numbers are not validated here.');
};
