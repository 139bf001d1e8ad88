import type { sendUnaryData } from '@grpc/grpc-js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';

/** Responds to gossip requests with a cluster of one node: this server, as the leader. */
export const serveGossip = (address: string, port: number, respond: sendUnaryData<ClusterInfo>): void => {
  const id = new shared.UUID();
  id.setString('00000000-0000-4000-8000-000000000001');
  const endPoint = new gossip.EndPoint();
  endPoint.setAddress(address);
  endPoint.setPort(port);
  const member = new gossip.MemberInfo();
  member.setInstanceId(id);
  member.setTimeStamp('0');
  member.setState(gossip.MemberInfo.VNodeState.LEADER);
  member.setIsAlive(true);
  member.setHttpEndPoint(endPoint);
  const info = new gossip.ClusterInfo();
  info.addMembers(member);
  respond(null, info);
};

/** The version that this server reports. It contains no number, so that it is never taken for an EventStoreDB. */
const VERSION = 'stand-in (the protocol server of the petstore, not EventStoreDB)';

/** Returns the features of this server. */
export const serveFeatures = (respond: sendUnaryData<SupportedMethods>): void => {
  const methods = new features.SupportedMethods();
  methods.setEventStoreServerVersion(VERSION);
  for (const name of ['read', 'batchappend']) {
    const method = new features.SupportedMethod();
    method.setServiceName('event_store.client.streams.streams');
    method.setMethodName(name);
    methods.addMethods(method);
  }
  respond(null, methods);
};
