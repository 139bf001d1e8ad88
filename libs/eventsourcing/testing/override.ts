/** Returns a port in which a test replaces some members. The port is an object literal: members of a prototype are lost. */
export const override = <Port extends object>(port: Port, members: Partial<Port>): Port => ({ ...(port as object), ...members }) as Port;
