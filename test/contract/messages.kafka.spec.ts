import { sharedKafka } from '../servers/services/shared.js';
import { whenThere } from '../servers/services/when-there.js';
import { kafkaMessagesUnderTest } from './kafka.js';
import { messagesContract } from './messages.contract.js';

const NAME = 'the Kafka adapter';

whenThere(`${NAME} as messages`, await sharedKafka(), (kafka) => messagesContract(NAME, () => kafkaMessagesUnderTest(kafka)));
