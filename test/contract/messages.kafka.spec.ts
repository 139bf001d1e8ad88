import { sharedKafka } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { kafkaMessagesUnderTest } from './kafka.js';
import { messagesContract } from './messages.contract.js';

const NAME = 'the Kafka adapter';

describeIfAvailable(`${NAME} as messages`, await sharedKafka(), (kafka) => messagesContract(NAME, () => kafkaMessagesUnderTest(kafka)));
