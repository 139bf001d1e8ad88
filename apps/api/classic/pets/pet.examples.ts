/** Examples for the document of the classic variant. A test validates them. */
export const NEW_PET_EXAMPLE = {
  name: 'Luna',
  category: { id: 1, name: 'Dogs' },
  photoUrls: ['https://pets.example.com/luna.jpg'],
  tags: [{ id: 1, name: 'gentle' }],
  status: 'available',
};

export const PET_EXAMPLE = { id: 10, ...NEW_PET_EXAMPLE };
