/**
 * Words that the stemmer `kstem` knows beside its list: some that are no stems of others, and forms with their stems.
 *
 * The tables are those of KStem, Copyright (c) 2003, Center for Intelligent Information Retrieval, University of Massachusetts,
 * Amherst; they may be redistributed under the terms of its BSD licence, with this notice.
 */

/** Words that `-ed` and `-ing` are not taken off to: `dining` is no form of `dine` alone. */
export const KSTEM_EXCEPTIONS: readonly string[] = [
  'aide bathe caste cute dame dime doge done dune envelope gage grille grippe lobe mane mare nape node pane pate',
  'plane pope programme quite ripe rote rune sage severe shoppe sine slime snipe steppe suite swinge tare tine',
  'tope tripe twine',
].flatMap((line) => line.split(' '));

/** Forms and their stems, `form>stem`. */
export const KSTEM_CONFLATIONS: readonly string[] = [
  'aging>age going>go goes>go lying>lie using>use owing>owe suing>sue dying>die tying>tie vying>vie aged>age',
  'used>use vied>vie cued>cue died>die eyed>eye hued>hue iced>ice lied>lie owed>owe sued>sue toed>toe tied>tie',
  'does>do doing>do aeronautical>aeronautics mathematical>mathematics political>politics metaphysical>metaphysics',
  'cylindrical>cylinder nazism>nazi ambiguity>ambiguous barbarity>barbarous credulity>credulous',
  'generosity>generous spontaneity>spontaneous unanimity>unanimous voracity>voracious fled>flee',
  'miscarriage>miscarry afghan>afghanistan african>africa albanian>albania algerian>algeria american>america',
  'andorran>andorra angolan>angola arabian>arabia argentine>argentina armenian>armenia asian>asia',
  'australian>australia austrian>austria azerbaijani>azerbaijan azeri>azerbaijan bangladeshi>bangladesh',
  'belgian>belgium bermudan>bermuda bolivian>bolivia bosnian>bosnia botswanan>botswana brazilian>brazil',
  'british>britain bulgarian>bulgaria burmese>burma californian>california cambodian>cambodia canadian>canada',
  'chadian>chad chilean>chile chinese>china colombian>colombia croat>croatia croatian>croatia cuban>cuba',
  'cypriot>cyprus czechoslovakian>czechoslovakia danish>denmark egyptian>egypt equadorian>equador',
  'eritrean>eritrea estonian>estonia ethiopian>ethiopia european>europe fijian>fiji filipino>philippines',
  'finnish>finland french>france gambian>gambia georgian>georgia german>germany ghanian>ghana greek>greece',
  'grenadan>grenada guamian>guam guatemalan>guatemala guinean>guinea guyanan>guyana haitian>haiti hawaiian>hawaii',
  'holland>dutch honduran>honduras hungarian>hungary icelandic>iceland indonesian>indonesia iranian>iran',
  'iraqi>iraq iraqui>iraq irish>ireland israeli>israel italian>italy jamaican>jamaica japanese>japan',
  'jordanian>jordan kampuchean>cambodia kenyan>kenya korean>korea kuwaiti>kuwait lankan>lanka laotian>laos',
  'latvian>latvia lebanese>lebanon liberian>liberia libyan>libya lithuanian>lithuania macedonian>macedonia',
  'madagascan>madagascar malaysian>malaysia maltese>malta mauritanian>mauritania mexican>mexico',
  'micronesian>micronesia moldovan>moldova monacan>monaco mongolian>mongolia montenegran>montenegro',
  'moroccan>morocco myanmar>burma namibian>namibia nepalese>nepal nicaraguan>nicaragua nigerian>nigeria',
  'norwegian>norway omani>oman pakistani>pakistan panamanian>panama papuan>papua paraguayan>paraguay',
  'peruvian>peru portuguese>portugal romanian>romania rumania>romania rumanian>romania russian>russia',
  'rwandan>rwanda samoan>samoa scottish>scotland serb>serbia serbian>serbia siam>thailand siamese>thailand',
  'slovakia>slovak slovakian>slovak slovenian>slovenia somali>somalia somalian>somalia spanish>spain',
  'swedish>sweden swiss>switzerland syrian>syria taiwanese>taiwan tanzanian>tanzania texan>texas thai>thailand',
  'tunisian>tunisia turkish>turkey ugandan>uganda ukrainian>ukraine uruguayan>uruguay uzbek>uzbekistan',
  'venezuelan>venezuela vietnamese>viet virginian>virginia yemeni>yemen yugoslav>yugoslavia',
  'yugoslavian>yugoslavia zambian>zambia zealander>zealand zimbabwean>zimbabwe',
].flatMap((line) => line.split(' '));
