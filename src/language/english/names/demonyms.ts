/** Lists countries and the adjectives that name their people. */

/** One `country: adjective, adjective` a line; the first adjective is the usual one. */
const TABLE = `
Afghanistan: Afghan|Albania: Albanian|Algeria: Algerian|Argentina: Argentine, Argentinian|Armenia: Armenian|Australia: Australian
Austria: Austrian|Azerbaijan: Azerbaijani|Bangladesh: Bangladeshi|Belarus: Belarusian|Belgium: Belgian|Bolivia: Bolivian
Bosnia and Herzegovina: Bosnian|Brazil: Brazilian|Bulgaria: Bulgarian|Cambodia: Cambodian|Cameroon: Cameroonian|Canada: Canadian
Chile: Chilean|China: Chinese|Colombia: Colombian|Croatia: Croatian|Cuba: Cuban|Cyprus: Cypriot|Czech Republic: Czech
Czechoslovakia: Czechoslovak, Czechoslovakian|Denmark: Danish|Ecuador: Ecuadorian|Egypt: Egyptian|England: English|Estonia: Estonian|Ethiopia: Ethiopian
Finland: Finnish|France: French|Georgia: Georgian|Germany: German|Ghana: Ghanaian|Greece: Greek|Guatemala: Guatemalan|Haiti: Haitian
Hungary: Hungarian|Iceland: Icelandic|India: Indian|Indonesia: Indonesian|Iran: Iranian, Persian|Iraq: Iraqi|Ireland: Irish|Israel: Israeli
Italy: Italian|Jamaica: Jamaican|Japan: Japanese|Jordan: Jordanian|Kazakhstan: Kazakhstani, Kazakh|Kenya: Kenyan|Kuwait: Kuwaiti|Latvia: Latvian
Lebanon: Lebanese|Libya: Libyan|Lithuania: Lithuanian|Luxembourg: Luxembourgish|Malaysia: Malaysian|Malta: Maltese|Mexico: Mexican|Mongolia: Mongolian
Morocco: Moroccan|Nepal: Nepalese, Nepali|Netherlands: Dutch|New Zealand: New Zealand|Nicaragua: Nicaraguan|Nigeria: Nigerian|North Korea: North Korean
Norway: Norwegian|Pakistan: Pakistani|Panama: Panamanian|Peru: Peruvian|Philippines: Filipino, Philippine|Poland: Polish|Portugal: Portuguese
Romania: Romanian|Russia: Russian|Saudi Arabia: Saudi|Scotland: Scottish|Senegal: Senegalese|Serbia: Serbian|Singapore: Singaporean|Slovakia: Slovak
Slovenia: Slovenian, Slovene|Somalia: Somali|South Africa: South African|South Korea: South Korean, Korean|Soviet Union: Soviet|Spain: Spanish|Sri Lanka: Sri Lankan
Sudan: Sudanese|Sweden: Swedish|Switzerland: Swiss|Syria: Syrian|Taiwan: Taiwanese|Thailand: Thai|Tunisia: Tunisian|Turkey: Turkish
Ukraine: Ukrainian|United Kingdom: British|United States: American|Uruguay: Uruguayan|Venezuela: Venezuelan|Vietnam: Vietnamese|Wales: Welsh
Yugoslavia: Yugoslav, Yugoslavian|Zambia: Zambian|Zimbabwe: Zimbabwean
`;

/** Other names of countries. */
const ALIASES: readonly (readonly [string, string])[] = [
  ['u.s.', 'United States'],
  ['u.s', 'United States'],
  ['us', 'United States'],
  ['usa', 'United States'],
  ['united states of america', 'United States'],
  ['uk', 'United Kingdom'],
  ['u.k.', 'United Kingdom'],
  ['great britain', 'United Kingdom'],
  ['ussr', 'Soviet Union'],
  ["people's republic of china", 'China'],
];

const ENTRIES = TABLE.trim()
  .split(/[|\n]/)
  .map(entry => {
    const [country, listed] = entry.split(': ') as [string, string];
    return { country, adjectives: listed.split(', ') };
  });
const countries: ReadonlyMap<string, string> = new Map([
  ...ENTRIES.map(({ country }) => [country.toLowerCase(), country] as const),
  ...ALIASES,
]);
const adjectives: ReadonlyMap<string, string> = new Map(
  ENTRIES.flatMap(entry =>
    entry.adjectives.map(each => [each.toLowerCase(), entry.country] as const),
  ),
);

/** Returns the country that a name names; undefined if it is none. */
export const countryNamed = (text: string): string | undefined =>
  countries.get(text.toLowerCase().replace(/^the /, ''));

/** Returns the country that an adjective belongs to. */
export const countryOfAdjective = (text: string): string | undefined =>
  adjectives.get(text.toLowerCase());

/** Adjectives, longer ones first, as alternatives of a pattern. */
export const ADJECTIVES: string = [...adjectives.keys()]
  .sort((a, b) => b.length - a.length)
  .map(each => each.replace(/(?<=^|\s)\p{Ll}/gu, letter => letter.toUpperCase()))
  .join('|');
