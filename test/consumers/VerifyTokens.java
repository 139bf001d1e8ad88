import org.springframework.security.oauth2.jwt.JwtDecoders;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/** Verifies an ID token and an access token as a program with Spring Security does. Arguments: issuer, client id, ID token, access token. */
public class VerifyTokens {
  public static void main(String[] arguments) {
    String issuer = arguments[0];
    NimbusJwtDecoder decoder = (NimbusJwtDecoder) JwtDecoders.fromIssuerLocation(issuer);
    print(decoder.decode(arguments[2]));
    // Spring's default expects the type of an ID token. This is its validator of access tokens (RFC 9068).
    decoder.setJwtValidator(JwtValidators.createAtJwtValidator().issuer(issuer).audience("petstore").clientId(arguments[1]).build());
    print(decoder.decode(arguments[3]));
  }

  private static void print(Jwt token) {
    System.out.println(token.getSubject());
  }
}
