/** Examples for the document of the classic variant. A test validates them. */
export const NEW_PET_EXAMPLE = {
  name: 'Luna',
  category: { id: 1, name: 'Dogs' },
  photoUrls: ['https://pets.example.com/luna.jpg'],
  tags: [{ id: 1, name: 'gentle' }],
  status: 'available',
};

export const PET_EXAMPLE = { id: 10, ...NEW_PET_EXAMPLE };

export const UPLOAD_EXAMPLE = { code: 200, type: 'image/jpeg', message: 'Stored an image of 1600 × 1200 pixels, 240000 bytes.' };
