import { IsBoolean } from 'class-validator';
import { FreeText, Described, Documented, Optional } from '../http/validation/rules.js';

@Documented('The health of a pet')
export class MedicalInfo {
  @Optional()
  @IsBoolean()
  @Described('Spayed or neutered', true)
  readonly spayedNeutered?: boolean;

  @Optional()
  @IsBoolean()
  @Described('Vaccinated', true)
  readonly vaccinated?: boolean;

  @Optional()
  @IsBoolean()
  @Described('Microchipped', true)
  readonly microchipped?: boolean;

  @Optional()
  @IsBoolean()
  @Described('Has special needs', false)
  readonly specialNeeds?: boolean;

  @Optional()
  @FreeText(0, 10_000)
  @Described('Further notes', 'Allergic to chicken')
  readonly healthNotes?: string;
}
